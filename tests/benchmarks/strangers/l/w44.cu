#include <lab.h>

typedef unsigned int uint_t;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const uint_t n = N;
    const uint_t x = blockIdx.x * blockDim.x + threadIdx.x;
    const uint_t y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;

    float even = 0.f, odd = 0.f;
    uint_t k = 0;
    for (; k <= n - 4; k += 4) {
        even += A[y * n + k] * B[k * n + x];
        odd += A[y * n + k + 1] * B[(k + 1) * n + x];
        even += A[y * n + k + 2] * B[(k + 2) * n + x];
        odd += A[y * n + k + 3] * B[(k + 3) * n + x];
    }
    for (; k < n; ++k)
        even += A[y * n + k] * B[k * n + x];
    C[y * n + x] = even + odd;
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});
