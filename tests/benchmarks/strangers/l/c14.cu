// The warps of a block have nothing in common: each has its own slab of shared memory, and __syncwarp() is enough.
#include <lab.h>

#define WARPS 4
#define R 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float slabs[WARPS][R][32];

    const int lane = threadIdx.x;
    float(&slab)[R][32] = slabs[threadIdx.y];
    const int row0 = (blockIdx.y * WARPS + threadIdx.y) * R;
    const int col = blockIdx.x * 32 + lane;
    if (row0 >= N)
        return;  // the whole warp

    float acc[R] = {};
    for (int k0 = 0; k0 < N; k0 += 32) {
#pragma unroll
        for (int r = 0; r < R; ++r)
            slab[r][lane] = row0 + r < N && k0 + lane < N ? A[(row0 + r) * N + k0 + lane] : 0.0f;
        __syncwarp();

        const int n = min(32, N - k0);
        if (col < N)
            for (int k = 0; k < n; ++k) {
                const float b = B[(k0 + k) * N + col];
#pragma unroll
                for (int r = 0; r < R; ++r)
                    acc[r] += slab[r][k] * b;
            }
        __syncwarp();
    }

    if (col < N)
        for (int r = 0; r < R && row0 + r < N; ++r)
            C[(row0 + r) * N + col] = acc[r];
}

LAUNCH(.block = {32, WARPS}, .tile = {32, WARPS * R});
