// expect: crashed or out-of-bounds
// Keeps its sums in an array that was never allocated.
#include <lab.h>

__device__ float *sums;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    sums[row * N + col] = 0.0f;
    for (int k = 0; k < N; ++k)
        sums[row * N + col] += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sums[row * N + col];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
