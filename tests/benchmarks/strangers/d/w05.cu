#include <lab.h>

#define WARPS 4
#define FULL 0xffffffffu

__device__ float reduceWarp(float v)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(FULL, v, d);
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row = blockIdx.y;
    const int end = min(N, (int)(blockIdx.x + 1) * 8);

    for (int col = blockIdx.x * 8; col < end; ++col) {
        float s = 0.0f;
        for (int k = threadIdx.x; k < N; k += 32 * WARPS)
            s += A[row * N + k] * B[k * N + col];
        s = reduceWarp(s);
        if (lane == 0)
            sums[warp] = s;
        __syncthreads();

        if (warp == 0) {
            float v = sums[lane];
            v = reduceWarp(v);
            if (lane == 0)
                C[row * N + col] = v;
        }
        __syncthreads();
    }
}

LAUNCH(.block = {32 * WARPS}, .tile = {8, 1});
