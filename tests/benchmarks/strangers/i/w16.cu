#include <lab.h>
#define BLOCK_W 16
#define BLOCK_H 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * BLOCK_H + threadIdx.y;
    int j = blockIdx.x * BLOCK_W + threadIdx.x;

    if (i < N && j < N)
    {
        int sum = 0;
        for (int k = 0; k < N; ++k)
        {
            float a = A[i * N + k];
            float b = B[k * N + j];
            sum += a * b;
        }
        C[i * N + j] = sum;
    }
}

LAUNCH(.block = {BLOCK_W, BLOCK_H}, .tile = {BLOCK_W, BLOCK_H});
