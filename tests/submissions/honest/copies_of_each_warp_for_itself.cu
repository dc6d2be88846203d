// expect: ok
// Every warp has a small tile of its own for its asynchronous copies: __syncwarp() behind the wait, and no barrier.
#include <cuda_pipeline.h>
#include <lab.h>
#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x, steps = (N + T - 1) / T;
    __shared__ float Bw[8][2][32];
    // each warp has two rows of 16; row in warp: y & 1
    __shared__ float Aw[8][2][32];
    int t = y * T + x, wp = t / 32, l = t % 32;
    float sum = 0;
    auto load = [&](int i) { // two k values a step: lanes 0..15 k, 16..31 k+1
        int s = i & 1, k = 2 * i + l / 16;
        bool ib = col < N && k < N;
        __pipeline_memcpy_async(&Bw[wp][s][l], ib ? B + k * N + col : B, 4, ib ? 0 : 4);
        if (l < 4) {
            int r = blockIdx.y * T + wp * 2 + l / 2, kk = 2 * i + l % 2;
            bool ia = r < N && kk < N;
            __pipeline_memcpy_async(&Aw[wp][s][l], ia ? A + r * N + kk : A, 4, ia ? 0 : 4);
        }
        __pipeline_commit();
    };
    load(0);
    for (int i = 0; 2 * i < N; ++i) {
        load(i + 1);
        __pipeline_wait_prior(1);
        __syncwarp();
        for (int k = 0; k < 2; ++k) sum += Aw[wp][i & 1][(y & 1) * 2 + k] * Bw[wp][i & 1][k * 16 + x];
        __syncwarp();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
LAUNCH(.block = {T, T}, .tile = {T, T});
