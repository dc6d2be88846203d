#include <lab.h>

// Subgroup version: a warp holds 32 k of four rows of A in registers and broadcasts them with shuffles.
constexpr int RPW = 4;     // rows per warp
constexpr int WPB = 4;     // warps per block
constexpr unsigned FULL = ~0u;

extern "C" __global__ void __launch_bounds__(32 * WPB)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int row0 = (blockIdx.y * WPB + warp) * RPW;
    const int col = blockIdx.x * 32 + lane;
    const int safeCol = min(col, N - 1);   // lanes outside compute something that nobody stores

    float held[RPW], coming[RPW], sum[RPW];
    for (int r = 0; r < RPW; ++r) {
        held[r] = row0 + r < N && lane < N ? A[(row0 + r) * N + lane] : 0.0f;
        sum[r] = 0.0f;
    }

    for (int k0 = 0; k0 < N; k0 += 32) {
        // prefetch
        const int kn = k0 + 32 + lane;
        for (int r = 0; r < RPW; ++r)
            coming[r] = row0 + r < N && kn < N ? A[(row0 + r) * N + kn] : 0.0f;

        const int count = min(32, N - k0);
        for (int k = 0; k < count; ++k) {
            const float b = __ldg(&B[(k0 + k) * N + safeCol]);
            for (int r = 0; r < RPW; ++r)
                sum[r] = fmaf(__shfl_sync(FULL, held[r], k), b, sum[r]);
        }
        for (int r = 0; r < RPW; ++r)
            held[r] = coming[r];
    }

    for (int r = 0; r < RPW; ++r)
        if (row0 + r < N && col < N)
            C[(row0 + r) * N + col] = sum[r];
}

LAUNCH(.block = {32 * WPB}, .tile = {32, WPB * RPW});
