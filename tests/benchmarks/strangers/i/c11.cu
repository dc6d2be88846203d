#include <lab.h>
#include <cuda_pipeline.h>
#define T 16

// Asynchronous copies of one float each; outside, the copy fills the tile with zeros. The sum is a double.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T], b[2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    const int tiles = (N + T - 1) / T;

    auto copy = [&](int t) {
        int ka = t * T + tx, kb = t * T + ty;
        bool okA = row < N && ka < N, okB = kb < N && col < N;
        __pipeline_memcpy_async(&a[t % 2][ty][tx], okA ? &A[row * N + ka] : A, 4, okA ? 0 : 4);
        __pipeline_memcpy_async(&b[t % 2][ty][tx], okB ? &B[kb * N + col] : B, 4, okB ? 0 : 4);
        __pipeline_commit();
    };

    double sum = 0.0;
    copy(0);
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (t + 1 < tiles) copy(t + 1);
        for (int k = 0; k < T; ++k)
            sum += (double)a[t % 2][ty][k] * b[t % 2][k][tx];
    }
    if (row < N && col < N) C[row * N + col] = (float)sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
