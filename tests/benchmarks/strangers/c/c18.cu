// A block is a single warp, so __syncwarp() is all the synchronisation that it needs.
#include <lab.h>

#define T 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[8][T];
    const int lane = threadIdx.x;
    const int r0 = blockIdx.y * 8, col = blockIdx.x * T + lane;
    float s[8] = {};

    for (int k0 = 0; k0 < N; k0 += T) {
        for (int r = 0; r < 8; ++r)
            a[r][lane] = r0 + r < N && k0 + lane < N ? A[(r0 + r) * N + k0 + lane] : 0.0f;
        __syncwarp();
        if (col < N)
            for (int k = 0; k < T && k0 + k < N; ++k) {
                const float b = B[(k0 + k) * N + col];
#pragma unroll
                for (int r = 0; r < 8; ++r)
                    s[r] += a[r][k] * b;
            }
        __syncwarp();
    }
    for (int r = 0; r < 8 && r0 + r < N && col < N; ++r)
        C[(r0 + r) * N + col] = s[r];
}

LAUNCH(.block = {T}, .tile = {T, 8});
