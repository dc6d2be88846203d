// expect: compile-error
// A constant expression whose evaluation does not end.
#include <lab.h>

constexpr unsigned collatz(unsigned long long steps)
{
    unsigned long long x = 1;
    for (unsigned long long i = 0; i < steps; ++i)
        x = x % 2 ? 3 * x + 1 : x / 2;
    return x;
}

constexpr unsigned BLOCK = collatz(1ull << 60);

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {BLOCK, 16}, .tile = {16, 16});
