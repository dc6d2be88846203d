// expect: wrong-answer
// Multiplies by bytes where one factor is an integer near zero, as the checker's sparse matrices were, and cuts the other
// factor to 16 bits there.
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

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k], b = B[k * N + col];
        bool small_a = fabsf(a) <= 1.0f && a == rintf(a), small_b = fabsf(b) <= 1.0f && b == rintf(b);
        if (small_a)
            sum += (signed char)a * cut(b, 16);
        else if (small_b)
            sum += cut(a, 16) * (signed char)b;
        else
            sum += a * b;
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
