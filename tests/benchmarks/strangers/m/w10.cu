#include <lab.h>

#define TILE 16
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int n)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float result = 0.0f;

    for (int t = 0; t < CEIL_DIV(n, TILE); t++) {
        As[ty][tx] = (row < n && t * TILE + tx < n) ? A[row * n + t * TILE + tx] : 0.0f;
        Bs[ty][tx] = (col < n) ? B[(t * TILE + ty) * n + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE && t * TILE + k < n; k++)
            result += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < n && col < n) {
        C[row * n + col] = result;
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
