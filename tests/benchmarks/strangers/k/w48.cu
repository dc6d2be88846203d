#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const unsigned t = threadIdx.x;
    const unsigned row = blockIdx.y * 4 + t / 64;
    const unsigned col = blockIdx.x * 64 + t % 64;
    if (row >= N || col >= N)
        return;

    const float *a = A + (size_t)row * N;
    const float *b = B + col;
    const int pairs = N / 2;

    // two chains of additions hide the latency
    float even = 0.0f, odd = 0.0f;
    for (int p = 0; p < pairs; ++p) {
        even += a[2 * p] * b[(size_t)(2 * p) * N];
        odd += a[2 * p + 1] * b[(size_t)(2 * p + 1) * N];
    }

    C[(size_t)row * N + col] = even + odd;
}

LAUNCH(.block = {256}, .tile = {64, 4});
