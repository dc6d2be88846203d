#include <lab.h>
#include <cuda_pipeline.h>

#define DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][DIM][DIM];
    __shared__ float b[2][DIM][DIM];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * DIM + ty, col = blockIdx.x * DIM + tx;
    const int tiles = (N + DIM - 1) / DIM;

    auto load = [&](int t) {
        const int s = t % 2, ka = t * DIM + tx, kb = t * DIM + ty;
        if (t < tiles) {
            if (row < N && ka < N)
                __pipeline_memcpy_async(&a[s][ty][tx], A + row * N + ka, 4);
            else
                a[s][ty][tx] = 0.0f;
            if (kb < N && col < N)
                __pipeline_memcpy_async(&b[s][ty][tx], B + kb * N + col, 4);
            else
                b[s][ty][tx] = 0.0f;
        }
        __pipeline_commit();
    };

    float sum = 0.0f;
    load(0);
    for (int t = 0; t < tiles; ++t) {
        load(t + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < DIM; ++k)
            sum += a[t % 2][ty][k] * b[t % 2][k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM});
