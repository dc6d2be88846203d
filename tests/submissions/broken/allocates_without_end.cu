// expect: simulator memory, cuda crashed
// Every thread allocates 64 MiB for its sums, never frees them, and never asks whether it got them.
#include <lab.h>

#define BYTES (64u << 20)

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    volatile float *sums = static_cast<float *>(malloc(BYTES));
    for (unsigned i = 0; i < BYTES / sizeof(float); ++i)
        sums[i] = 0.0f;
    for (int k = 0; k < N; ++k)
        sums[k + 1] = sums[k] + A[row * N + k] * B[k * N + col];
    C[row * N + col] = sums[N];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
