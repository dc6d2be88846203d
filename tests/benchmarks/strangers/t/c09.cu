#include <lab.h>
#include <cuda_pipeline.h>

constexpr int TB = 16;

struct Buffers {
    float a[2][TB][TB];
    float b[2][TB][TB];
};

__device__ inline void request(Buffers &s, int stage, const float *A, const float *B, int N, int row, int col, int k0)
{
    const int x = threadIdx.x, y = threadIdx.y;
    if (row < N && k0 + x < N)
        __pipeline_memcpy_async(&s.a[stage][y][x], &A[row * N + k0 + x], 4);
    else
        s.a[stage][y][x] = 0.0f;

    if (col < N && k0 + y < N)
        __pipeline_memcpy_async(&s.b[stage][y][x], &B[(k0 + y) * N + col], 4);
    else
        s.b[stage][y][x] = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Buffers s;

    const int row = blockIdx.y * TB + threadIdx.y;
    const int col = blockIdx.x * TB + threadIdx.x;

    request(s, 0, A, B, N, row, col, 0);
    __pipeline_commit();

    float acc = 0.0f;
    int stage = 0;
    for (int k0 = 0; k0 < N; k0 += TB, stage ^= 1) {
        if (k0 + TB < N)
            request(s, stage ^ 1, A, B, N, row, col, k0 + TB);
        __pipeline_commit();            // maybe an empty batch
        __pipeline_wait_prior(1);       // all but the newest batch
        __syncthreads();

        for (int k = 0; k < TB; ++k)
            acc = fmaf(s.a[stage][threadIdx.y][k], s.b[stage][k][threadIdx.x], acc);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TB, TB}, .tile = {TB, TB});
