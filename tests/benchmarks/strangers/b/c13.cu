#include <cuda_pipeline.h>
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float as[2][T][T];
    __shared__ float bs[2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    const int tiles = (N + T - 1) / T;

    auto fetch = [&](int t, int buf) {
        const int ka = t * T + tx, kb = t * T + ty;
        if (row < N && ka < N)
            __pipeline_memcpy_async(&as[buf][ty][tx], &A[row * N + ka], sizeof(float));
        else
            as[buf][ty][tx] = 0.0f;
        if (kb < N && col < N)
            __pipeline_memcpy_async(&bs[buf][ty][tx], &B[kb * N + col], sizeof(float));
        else
            bs[buf][ty][tx] = 0.0f;
        __pipeline_commit();
    };

    float sum = 0.0f;
    fetch(0, 0);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            fetch(t + 1, (t + 1) & 1);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += as[t & 1][ty][k] * bs[t & 1][k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
