#include <lab.h>

// Registers and shuffles only. All lanes of a warp stay in the loops, whatever N is.
extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const int lane = threadIdx.x;
    const int row = (blockIdx.y * 4 + threadIdx.y) * 2;
    const int col = blockIdx.x * 32 + lane;
    float2 sum = make_float2(0.0f, 0.0f);

    for (int k0 = 0; k0 < N; k0 += 32) {
        const int k = k0 + lane;
        const float a0 = row < N && k < N ? __ldg(A + row * N + k) : 0.0f;
        const float a1 = row + 1 < N && k < N ? __ldg(A + (row + 1) * N + k) : 0.0f;
        const int len = min(32, N - k0);
        for (int s = 0; s < len; ++s) {
            const float b = col < N ? B[(k0 + s) * N + col] : 0.0f;
            sum.x = fmaf(__shfl_sync(~0u, a0, s), b, sum.x);
            sum.y = fmaf(__shfl_sync(~0u, a1, s), b, sum.y);
        }
    }
    if (col < N) {
        if (row < N)
            C[row * N + col] = sum.x;
        if (row + 1 < N)
            C[(row + 1) * N + col] = sum.y;
    }
}

LAUNCH(.block = {32, 4}, .tile = {32, 8});
