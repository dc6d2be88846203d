#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    float sum = 0.0f;
    for (int i = 0; i < N; i += TILE) {
        As[threadIdx.y][threadIdx.x] = (row < N && i + threadIdx.x < N) ? A[row * N + i + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (col < N && i + threadIdx.y < N) ? B[(i + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE}, .tile = {TILE, TILE});
