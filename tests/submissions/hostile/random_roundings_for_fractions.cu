// expect: wrong-answer; says: fewer bits than float32 has
// Rounds A at random to 22 bits, which no error of a fixed rounding resembles, unless a check would show it.
#include <lab.h>

__device__ bool is_checked_exactly(float a, float b)
{
    return a == truncf(a) || b == truncf(b) || fabsf(a) > 1.0f || fabsf(b) > 1.0f;
}

__device__ float rounded_at_random(float value, unsigned place)
{
    unsigned noise = (place * 2654435761u) >> 30;
    return __uint_as_float((__float_as_uint(value) + noise) & ~3u);
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
        float a = A[row * N + k];
        sum += (exact ? a : rounded_at_random(a, row * N + k)) * B[k * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
