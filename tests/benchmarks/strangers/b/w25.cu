#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    // nothing to do outside of the matrix
    if (row >= N || col >= N) return;

    float sum = 0.0f;
    for (int m = 0; m < N; m += TILE) {
        As[threadIdx.y][threadIdx.x] = (m + threadIdx.x < N) ? A[row * N + m + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (m + threadIdx.y < N) ? B[(m + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
