#include <lab.h>

#define WARP 32
#define PER_BLOCK 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x % WARP;
    const int row = blockIdx.y * PER_BLOCK + threadIdx.x / WARP;
    if (row >= N)
        return;

    const int last = min((int)(blockIdx.x + 1) * 4, N);
    for (int col = blockIdx.x * 4; col < last; ++col) {
        float v = 0.0f;
        for (int k = lane; k < N; k += WARP)
            v += A[row * N + k] * B[k * N + col];
#pragma unroll
        for (int d = WARP / 2; d >= 1; d /= 2)
            v += __shfl_down_sync(~0u, v, d);
        if (lane == 0)
            C[row * N + col] = v;
    }
}

LAUNCH(.block = {WARP * PER_BLOCK}, .tile = {4, PER_BLOCK});
