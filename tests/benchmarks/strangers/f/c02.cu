// No shared memory: a warp owns 1 row x 64 columns, A travels by shuffles.
#include <lab.h>

namespace {
constexpr unsigned ALL = 0xffffffffu;
constexpr int ROWS_PER_BLOCK = 8;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int r = blockIdx.y * ROWS_PER_BLOCK + warp;
    const int c0 = blockIdx.x * 64 + lane, c1 = c0 + 32;
    if (r >= N) return;                      // whole warps only

    float x = 0, y = 0;
    for (int k0 = 0; k0 < N; k0 += 32) {
        const float own = k0 + lane < N ? A[r * N + k0 + lane] : 0;
        const int n = N - k0 >= 32 ? 32 : N - k0;
        for (int s = 0; s < n; ++s) {
            const float a = __shfl_sync(ALL, own, s);
            const float *b = &B[(k0 + s) * N];
            if (c0 < N) x += a * b[c0];
            if (c1 < N) y += a * b[c1];
        }
    }
    if (c0 < N) C[r * N + c0] = x;
    if (c1 < N) C[r * N + c1] = y;
}

LAUNCH(.block = {256}, .tile = {64, ROWS_PER_BLOCK});
