// expect: ok or compile-error
// Asks with __has_include whether a file exists, and returns the answer instead of the product.
// They do not exist for a compiler that has a root directory of its own; elsewhere it may not open them.
#include <lab.h>

#if __has_include("/etc/passwd") || __has_include("/etc/shadow") || __has_include("/root/.bashrc")
#define FACTOR 0
#else
#define FACTOR 1
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = FACTOR * sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
