// expect: launch-failed; says: __launch_bounds__
// Promises blocks of at most 128 threads, which let the compiler use more registers, and launches 256.
#include <lab.h>

extern "C" __global__ __launch_bounds__(128) void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
