#include <cuda_pipeline_primitives.h>
#include <lab.h>

#ifndef PENDING
#define PENDING 0
#endif
#ifndef BYTES
#define BYTES 4
#endif

constexpr int T = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int k = 0; k < N; k += T) {
        const bool in_a = row < N && k + x < N, in_b = k + y < N && col < N;
        __pipeline_memcpy_async(&As[y][x], in_a ? &A[row * N + k + x] : A, BYTES, in_a ? 0 : 4);
        __pipeline_memcpy_async(&Bs[y][x], in_b ? &B[(k + y) * N + col] : B, BYTES, in_b ? 0 : 4);
        __pipeline_commit();
        __pipeline_wait_prior(PENDING);
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += As[y][i] * Bs[i][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}
