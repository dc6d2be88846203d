// expect: ok
// Four sums take the terms in turn, so that four multiply-adds can be in flight.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum[4] = {};
    for (int k = 0; k < N; ++k)
        sum[k % 4] += A[row * N + k] * B[k * N + col];
    C[row * N + col] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
