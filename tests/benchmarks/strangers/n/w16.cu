#include <lab.h>
#include <cuda_pipeline.h>

constexpr int T = 32;

extern "C" __global__ void __launch_bounds__(T * T)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float As[2][T][T];
    __shared__ float Bs[2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    const int tiles = (N + T - 1) / T;

    // asynchronous copy of tile t; zeros outside
    auto issue = [&](int t) {
        const int ka = t * T + tx, kb = t * T + ty;
        if (row < N && ka < N)
            __pipeline_memcpy_async(&As[t & 1][ty][tx], &A[row * N + ka], 4);
        else
            As[t & 1][ty][tx] = 0.0f;
        if (kb < N && col < N)
            __pipeline_memcpy_async(&Bs[t & 1][ty][tx], &B[kb * N + col], 4);
        else
            Bs[t & 1][ty][tx] = 0.0f;
    };

    issue(0);
    __pipeline_commit();
    float acc = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            issue(t + 1);
            __pipeline_commit();
        }
        __pipeline_wait_prior(1);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < T; ++k)
            acc += As[t & 1][ty][k] * Bs[t & 1][k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
