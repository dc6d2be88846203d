#include <lab.h>

#define BX 32
#define BY 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int row = blockIdx.y * BY + threadIdx.y;

    if (row < N || col < N) {
        float sum = 0.0f;
#pragma unroll 4
        for (int k = 0; k < N; k++)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY});
