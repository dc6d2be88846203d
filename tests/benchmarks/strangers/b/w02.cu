#include <lab.h>

#define TILE 16

// tiles of the block
__device__ float tileB[TILE][TILE];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int t = 0; t < N; t += TILE) {
        int ac = t + threadIdx.x;
        int br = t + threadIdx.y;
        tileA[threadIdx.y][threadIdx.x] = row < N && ac < N ? A[row * N + ac] : 0.0f;
        tileB[threadIdx.y][threadIdx.x] = br < N && col < N ? B[br * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
