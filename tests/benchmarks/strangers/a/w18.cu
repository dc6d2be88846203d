#include <lab.h>

#define CHUNKS 64

// Sum in chunks and add the partial sums: smaller rounding error than one long sum
__device__ float partial(const float *A, const float *B, int row, int col, int from, int to, int N)
{
    float s = 0.0f;
    for (int k = from; k < to; ++k)
        s += A[row * N + k] * B[k * N + col];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    if (row >= N || col >= N)
        return;

    int len = N / CHUNKS;
    float total = 0.0f;
    for (int k0 = 0; k0 < N; k0 += len)
        total += partial(A, B, row, col, k0, min(k0 + len, N), N);
    C[row * N + col] = total;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
