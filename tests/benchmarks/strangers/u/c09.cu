#include <lab.h>
#include <cuda_pipeline.h>

#define T 16

// two stages with asynchronous copies (one float each: rows may start anywhere)
__device__ void stage(float *dst, const float *src, bool valid)
{
    if (valid)
        __pipeline_memcpy_async(dst, src, 4);
    else
        *dst = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T];
    __shared__ float b[2][T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    const int count = (N + T - 1) / T;
    float acc = 0.0f;

    stage(&a[0][y][x], A + row * N + x, row < N && x < N);
    stage(&b[0][y][x], B + y * N + col, y < N && col < N);
    __pipeline_commit();

    for (int t = 0; t < count; ++t) {
        const int now = t % 2, next = 1 - now;
        if (t + 1 < count) {
            const int k = (t + 1) * T;
            stage(&a[next][y][x], A + row * N + k + x, row < N && k + x < N);
            stage(&b[next][y][x], B + (k + y) * N + col, k + y < N && col < N);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < T; ++k)
            acc += a[now][y][k] * b[now][k][x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
