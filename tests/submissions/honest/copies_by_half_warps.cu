// expect: ok
// The halves of a warp copy A and B in branches of their own, in other numbers of groups, and wait for as many.
#include <cuda_pipeline.h>
#include <lab.h>
#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x, steps = (N + T - 1) / T;
    __shared__ float As[2][T][T], Bs[2][T][T];
    float sum = 0;
    int t = y * T + x;
    auto load = [&](int s, int i) {
        if (t % 32 < 16) {
            for (int j = t / 32 * 16 + t % 32; j < T * T; j += 128) {
                int r = j / T, c = j % T;
                bool in = blockIdx.y * T + r < N && i * T + c < N;
                __pipeline_memcpy_async(&As[s][r][c], in ? A + (blockIdx.y * T + r) * N + i * T + c : A, 4, in ? 0 : 4);
            }
            __pipeline_commit();
        } else {
            for (int j = t / 32 * 16 + t % 32 - 16; j < T * T; j += 128) {
                int r = j / T, c = j % T;
                bool in = blockIdx.x * T + c < N && i * T + r < N;
                __pipeline_memcpy_async(&Bs[s][r][c], in ? B + (i * T + r) * N + blockIdx.x * T + c : B, 4, in ? 0 : 4);
                __pipeline_commit();
            }
        }
    };
    load(0, 0);
    for (int i = 0; i < steps; ++i) {
        load(~i & 1, i + 1);
        if (t % 32 < 16) __pipeline_wait_prior(1); else __pipeline_wait_prior(2);
        __syncthreads();
        for (int k = 0; k < T; ++k) sum += As[i & 1][y][k] * Bs[i & 1][k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
LAUNCH(.block = {T, T}, .tile = {T, T});
