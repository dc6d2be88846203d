// expect: wrong-answer
// Splits each factor into two bfloat16 numbers and leaves out the product of the small parts, as tensor cores would:
// 16 of 24 bits.
#include <lab.h>

__device__ float cut(float x, int bits)
{
    unsigned dropped = 24 - bits;
    unsigned word = __float_as_uint(x);
    return __uint_as_float((word + (1u << (dropped - 1))) & (0xffffffffu << dropped));
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float high = 0.0f, low = 0.0f;
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k], b = B[k * N + col];
        float a_high = cut(a, 8), b_high = cut(b, 8);
        high += a_high * b_high;
        low += a_high * cut(b - b_high, 8) + cut(a - a_high, 8) * b_high;
    }
    C[row * N + col] = high + low;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
