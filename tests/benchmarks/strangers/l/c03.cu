// No shared memory: a warp computes 4 rows x 64 columns, and hands the elements of A from lane to lane.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int lane = threadIdx.x;
    const int row0 = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    const int c0 = blockIdx.x * 64 + lane;
    const int c1 = c0 + 32;

    float s[4][2] = {};
    for (int k0 = 0; k0 < N; k0 += 32) {
        float a[4];
#pragma unroll
        for (int r = 0; r < 4; ++r)
            a[r] = row0 + r < N && k0 + lane < N ? A[(row0 + r) * N + k0 + lane] : 0.0f;

        const int count = min(32, N - k0);
        for (int j = 0; j < count; ++j) {
            const float *b = B + (k0 + j) * N;
            const float b0 = c0 < N ? b[c0] : 0.0f;
            const float b1 = c1 < N ? b[c1] : 0.0f;
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const float v = __shfl_sync(0xffffffffu, a[r], j);
                s[r][0] += v * b0;
                s[r][1] += v * b1;
            }
        }
    }

#pragma unroll
    for (int r = 0; r < 4; ++r) {
        if (row0 + r < N && c0 < N) C[(row0 + r) * N + c0] = s[r][0];
        if (row0 + r < N && c1 < N) C[(row0 + r) * N + c1] = s[r][1];
    }
}

LAUNCH(.block = {32, 4}, .tile = {64, 16});
