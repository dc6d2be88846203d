// expect: crashed or out-of-bounds
// Every thread allocates 64 MiB to keep its partial sums 4 KiB apart, never frees them, and never checks whether
// the allocation succeeded.
#include <lab.h>

#define APART 1024
#define PLACES 16384

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    volatile float *sums = static_cast<float *>(malloc(sizeof(float) * APART * PLACES));
    for (int i = 0; i < PLACES; ++i)
        sums[i * APART] = 0.0f;
    for (int k = 0; k < N; ++k)
        sums[(k + 1) * APART] = sums[k * APART] + A[row * N + k] * B[k * N + col];
    C[row * N + col] = sums[N * APART];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
