#include <lab.h>

// two rows per thread
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * (2 * blockDim.y) + 2 * threadIdx.y;
    if (x >= N || y >= N) return;
    bool two = y + 1 < N;

    float upper, lower = 0.0f;
    const float *a0 = A + y * N;
    const float *a1 = two ? a0 + N : a0;   // last row alone: use it twice
    for (int k = 0; k < N; ++k) {
        float b = B[k * N + x];
        upper += a0[k] * b;
        lower += a1[k] * b;
    }

    C[y * N + x] = upper;
    if (two)
        C[(y + 1) * N + x] = lower;
}

LAUNCH(.block = {32, 8}, .tile = {32, 16});
