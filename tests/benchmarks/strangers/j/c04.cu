#include <cuda_pipeline.h>
#include <lab.h>

// Asynchronous copies, two tiles ahead, in a ring of three. One barrier per tile.
#define T 16
#define RING 3

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[RING][T][T];
    __shared__ float b[RING][T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    const int tiles = (N + T - 1) / T;

    // A group is committed for every tile number, even if there is nothing to copy, so that the count below is right.
    auto begin = [&](int t) {
        if (t < tiles) {
            const int ka = t * T + x, kb = t * T + y;
            const bool okA = row < N && ka < N, okB = kb < N && col < N;
            // outside, all four bytes are filled with zero and nothing is read
            __pipeline_memcpy_async(&a[t % RING][y][x], okA ? A + row * N + ka : A, 4, okA ? 0 : 4);
            __pipeline_memcpy_async(&b[t % RING][y][x], okB ? B + kb * N + col : B, 4, okB ? 0 : 4);
        }
        __pipeline_commit();
    };

    begin(0);
    begin(1);
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(1);
        __syncthreads();   // tile t is here, and nobody uses tile t - 1 any more
        begin(t + 2);
        for (int k = 0; k < T; ++k)
            sum += a[t % RING][y][k] * b[t % RING][k][x];
    }
    __pipeline_wait_prior(0);

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
