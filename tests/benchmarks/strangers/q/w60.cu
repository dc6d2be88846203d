#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bufA[BLOCK][BLOCK + 1];
    __shared__ float bufB[BLOCK][BLOCK + 1];
    int row = blockIdx.x * BLOCK + threadIdx.y;
    int col = blockIdx.y * BLOCK + threadIdx.x;
    float sum = 0.0f;

    // walk along the row of A and down the column of B
    for (int k0 = 0; k0 + (int)threadIdx.x < N; k0 += BLOCK) {
        bool a = row < N && k0 + threadIdx.x < N;
        bool b = col < N && k0 + threadIdx.y < N;
        bufA[threadIdx.y][threadIdx.x] = a ? A[row * N + k0 + threadIdx.x] : 0.0f;
        bufB[threadIdx.y][threadIdx.x] = b ? B[(k0 + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < BLOCK; ++k)
            sum += bufA[threadIdx.y][k] * bufB[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK}, .grid_x = ROWS);
