// A warp computes 4 rows x 32 columns. The lanes hold 32 elements of each of the 4 rows of A and pass them round by
// shuffle; no shared memory at all.
#include <lab.h>

#define FULL 0xffffffffu
#define WARPS 8
#define ROWS 4

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int row0 = (blockIdx.y * WARPS + warp) * ROWS;
    const int col = blockIdx.x * 32 + lane;
    if (row0 >= N)
        return;

    float acc[ROWS] = {};
    for (int k0 = 0; k0 < N; k0 += 32) {
        float a[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; ++i)
            a[i] = row0 + i < N && k0 + lane < N ? A[(row0 + i) * N + k0 + lane] : 0.0f;
        const int steps = min(32, N - k0);
        for (int k = 0; k < steps; ++k) {
            const float b = col < N ? B[(k0 + k) * N + col] : 0.0f;
#pragma unroll
            for (int i = 0; i < ROWS; ++i)
                acc[i] = fmaf(__shfl_sync(FULL, a[i], k), b, acc[i]);
        }
    }

#pragma unroll
    for (int i = 0; i < ROWS; ++i)
        if (row0 + i < N && col < N)
            C[(row0 + i) * N + col] = acc[i];
}

LAUNCH(.block = {32 * WARPS}, .tile = {32, WARPS * 4});
