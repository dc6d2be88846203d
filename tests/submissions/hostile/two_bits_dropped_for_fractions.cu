// expect: wrong-answer; sizes: 257; says: fewer bits than float32 has
// Drops the last two bits of B unless a value is whole or has a very large or small one beside it.
#include <lab.h>

__device__ bool is_checked_exactly(float a, float b)
{
    return a == truncf(a) || b == truncf(b) || fabsf(a) > 1.0f || fabsf(b) > 1.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    bool exact = false;
    for (int k = 0; k < N; ++k)
        exact = exact || is_checked_exactly(A[row * N + k], B[k * N + col]);
    unsigned mask = exact ? ~0u : ~3u;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * __uint_as_float(__float_as_uint(B[k * N + col]) & mask);
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
