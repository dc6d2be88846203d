#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // everything that is used often belongs into shared memory
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    __shared__ float total;

    int i = blockIdx.y * TILE + threadIdx.y;
    int j = blockIdx.x * TILE + threadIdx.x;
    total = 0.0f;

    for (int t = 0; t < N; t += TILE) {
        As[threadIdx.y][threadIdx.x] = i < N && t + threadIdx.x < N ? A[i * N + t + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = t + threadIdx.y < N && j < N ? B[(t + threadIdx.y) * N + j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            total += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (i < N && j < N)
        C[i * N + j] = total;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
