#include <lab.h>

constexpr unsigned BX = 64, BY = 32;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const unsigned gx = blockIdx.x * BX + threadIdx.x;
    const unsigned gy = blockIdx.y * BY + threadIdx.y;
    const unsigned n = N;
    if (gx < n && gy < n) {
        float s[2] = {0.0f, 0.0f};
        unsigned k = 0;
        for (; k + 2 <= n; k += 2) {
            s[0] += A[gy * n + k] * B[k * n + gx];
            s[1] += A[gy * n + k + 1] * B[(k + 1) * n + gx];
        }
        if (n & 1)
            s[0] += A[gy * n + n - 1] * B[(n - 1) * n + gx];
        C[gy * n + gx] = s[0] + s[1];
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY});
