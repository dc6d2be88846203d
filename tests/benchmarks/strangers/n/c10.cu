#include <lab.h>
#include <cuda_pipeline.h>

#define T 16

__device__ static void fetch(float *to, const float *from, int index, bool inside)
{
    if (inside)
        __pipeline_memcpy_async(to, from + index, sizeof(float));
    else
        *to = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][T][T], b[2][T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;

    fetch(&a[0][y][x], A, row * N + x, row < N && x < N);
    fetch(&b[0][y][x], B, y * N + col, y < N && col < N);
    __pipeline_commit();

    float sum = 0.0f;
    for (int k0 = 0, stage = 0; k0 < N; k0 += T, stage ^= 1) {
        const int k1 = k0 + T;
        if (k1 < N) {
            fetch(&a[stage ^ 1][y][x], A, row * N + k1 + x, row < N && k1 + x < N);
            fetch(&b[stage ^ 1][y][x], B, (k1 + y) * N + col, k1 + y < N && col < N);
        }
        __pipeline_commit();          // an empty group in the last step
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += a[stage][y][k] * b[stage][k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
