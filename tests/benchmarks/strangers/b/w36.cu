#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[BLOCK][BLOCK];
    __shared__ float tileB[BLOCK][BLOCK];

    int row = blockIdx.y * BLOCK + threadIdx.y;
    int col = blockIdx.x * BLOCK + threadIdx.x;
    float sum = 0.0f;

    for (int start = 0; start < N; start += BLOCK) {
        // Load
        int k1 = start + threadIdx.x;
        int k2 = start + threadIdx.y;
        tileA[threadIdx.y][threadIdx.x] = (row < N && k1 < N) ? A[row * N + k1] : 0.0f;
        tileB[threadIdx.y][threadIdx.x] = (k2 < N && col < N) ? B[k2 * N + col] : 0.0f;
        __syncthreads();

        // Compute
        float sum = 0.0f;
        for (int k = 0; k < BLOCK; ++k)
            sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK});
