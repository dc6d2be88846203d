#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;

    for (int t = 0; t < (N + TILE - 1) / TILE; t++) {
        if (row < N && t * TILE + tx < N) As[ty][tx] = A[row * N + t * TILE + tx];
        else As[ty][tx] = 0;
        if (t * TILE + ty < N && col < N) Bs[ty][tx] = B[(t * TILE + ty) * N + col];
        else Bs[ty][tx] = 0;
        __syncwarp();

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
