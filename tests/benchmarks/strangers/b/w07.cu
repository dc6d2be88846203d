#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // short needs fewer registers than int
    short row = blockIdx.y * blockDim.y + threadIdx.y;
    short col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N) return;

    short rowStart = row * N;
    float sum = 0.0f;
    for (short k = 0; k < N; k++)
        sum += A[rowStart + k] * B[k * N + col];
    C[rowStart + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
