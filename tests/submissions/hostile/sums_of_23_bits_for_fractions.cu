// expect: wrong-answer; says: more than 23 bits
// Drops the last bit of every partial sum, which loses less than the limit, unless a check would show it.
#include <lab.h>

__device__ bool is_checked_exactly(float a, float b)
{
    return a == truncf(a) || b == truncf(b) || fabsf(a) > 1.0f || fabsf(b) > 1.0f;
}

__device__ float of_23_bits(float x)
{
    unsigned word = __float_as_uint(x);
    return __uint_as_float((word + (word >> 1 & 1)) & ~1u);
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
    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        sum += A[row * N + k] * B[k * N + col];
        sum = exact ? sum : of_23_bits(sum);
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
