#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tA[BLOCK][BLOCK], tB[BLOCK][BLOCK];
    int row = blockIdx.y * BLOCK + threadIdx.y;
    int col = blockIdx.x * BLOCK + threadIdx.x;

    if (row >= N || col >= N) return;

    float sum = 0.0f;
    for (int m = 0; m < N; m += BLOCK) {
        int ka = m + threadIdx.x;
        int kb = m + threadIdx.y;
        tA[threadIdx.y][threadIdx.x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        tB[threadIdx.y][threadIdx.x] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < BLOCK; ++k)
            sum += tA[threadIdx.y][k] * tB[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK});
