#include <lab.h>

#define WARPS 8

__device__ __forceinline__ float allSum(float v)
{
#pragma unroll
    for (int mask = 1; mask < 32; mask <<= 1)
        v += __shfl_xor_sync(0xffffffffu, v, mask);
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int row = blockIdx.y;
    const int col = blockIdx.x * WARPS + warp;
    if (col >= N)
        return;

    float v = 0.0f;
    for (int k = lane; k < N; k += 32)
        v = fmaf(A[row * N + k], B[k * N + col], v);
    v = allSum(v);

    if (lane == 17)
        C[row * N + col] = v;
}

LAUNCH(.block = {32 * WARPS}, .tile = {WARPS, 1});
