#include <lab.h>

// No shared memory: a warp keeps 32 elements of each of its rows of A in registers and hands them round.
constexpr int ROWS_PER_WARP = 4;
constexpr int WARPS = 4;
constexpr unsigned ALL = 0xffffffff;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int col = blockIdx.x * 32 + lane;
    const int row = (blockIdx.y * WARPS + threadIdx.y) * ROWS_PER_WARP;
    float acc[ROWS_PER_WARP] = {};

    for (int k0 = 0; k0 < N; k0 += 32) {
        float a[ROWS_PER_WARP];
#pragma unroll
        for (int i = 0; i < ROWS_PER_WARP; ++i)
            a[i] = (row + i < N && k0 + lane < N) ? A[(row + i) * N + k0 + lane] : 0.0f;

        for (int j = 0; j < 32; ++j) {
            const float b = (k0 + j < N && col < N) ? B[(k0 + j) * N + col] : 0.0f;
#pragma unroll
            for (int i = 0; i < ROWS_PER_WARP; ++i)
                acc[i] += __shfl_sync(ALL, a[i], j) * b;
        }
    }

#pragma unroll
    for (int i = 0; i < ROWS_PER_WARP; ++i)
        if (row + i < N && col < N)
            C[(row + i) * N + col] = acc[i];
}

LAUNCH(.block = {32, WARPS}, .tile = {32, WARPS * ROWS_PER_WARP});
