#include <lab.h>

#define BLOCK_SIZE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float sB[BLOCK_SIZE][BLOCK_SIZE];

    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0.0f;

    for (int i = 0; i < (N - 1) / BLOCK_SIZE + 1; i++)
    {
        sA[threadIdx.y][threadIdx.x] = 0.0f;
        sB[threadIdx.y][threadIdx.x] = 0.0f;

        if (row < N && threadIdx.x + i * BLOCK_SIZE < N)
            sA[threadIdx.y][threadIdx.x] = A[row * N + threadIdx.x + i * BLOCK_SIZE];

        if (col < N && threadIdx.y + i * BLOCK_SIZE < N)
            sB[threadIdx.y][threadIdx.x] = B[(threadIdx.y + i * BLOCK_SIZE) * N + col];

        __syncthreads();

        for (int k = 0; k < BLOCK_SIZE; k++)
            value += sA[threadIdx.x][k] * sB[k][threadIdx.x];

        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {BLOCK_SIZE, BLOCK_SIZE}, .tile = {BLOCK_SIZE, BLOCK_SIZE});
