#include <lab.h>
enum { TILE = 16 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int ty = threadIdx.y, tx = threadIdx.x;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int t = 0; t < (N + TILE - 1) / TILE; t++) {
        As[ty][tx] = 0.0f;
        Bs[ty][tx] = 0.0f;
        if (row < N && t * TILE + tx < N)
            As[ty][tx] = A[row * N + t * TILE + tx];
        if (col < N)
            Bs[ty][tx] = B[(t * TILE + ty) * N + col];
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
