#include <lab.h>
#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int t = 0; t < (N + TILE - 1) / TILE; t++) {
        Bs[ty][tx] = (t * TILE + ty < N && col < N) ? B[(t * TILE + ty) * N + col] : 0.0f;

        if (row < N && t * TILE + tx < N) {
            As[ty][tx] = A[row * N + t * TILE + tx];
            __syncthreads();
        } else {
            As[ty][tx] = 0.0f;
        }

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
