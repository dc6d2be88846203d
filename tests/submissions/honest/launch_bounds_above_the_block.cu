// expect: ok
// Promises blocks of at most 32 x 16 threads, in any shape, and launches half of that.
#include <lab.h>

extern "C" __global__ __launch_bounds__(512, 2) void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {4, 64}, .tile = {4, 64});
