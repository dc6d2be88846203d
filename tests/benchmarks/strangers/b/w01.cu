#include <lab.h>
#define FULL_MASK 0xffffffffu
#define WARPS 4
#define COLS 4

__device__ __forceinline__ float warp_sum(float v)
{
#pragma unroll
    for (int d = 16; d >= 1; d >>= 1)
        v += __shfl_down_sync(FULL_MASK, v, d);
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int row = blockIdx.y * WARPS + warp;
    if (row >= N) return;  // a whole warp leaves

    for (int c = 0; c < COLS; ++c) {
        const int col = blockIdx.x * COLS + c;
        if (col >= N) break;
        float part = 0.f;
        for (int k = lane; k < N; k += 32)
            part += A[row * N + k] * B[k * N + col];
        part = warp_sum(part);
        if (lane == 31)
            C[row * N + col] = part;
    }
}

LAUNCH(.block = {32 * WARPS}, .tile = {COLS, WARPS});
