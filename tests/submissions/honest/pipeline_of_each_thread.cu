// expect: ok
// A pipeline of the thread alone: each thread waits for its own copies, and a barrier of the block comes behind.
#include <cuda/pipeline>
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][T][T], Bs[2][T][T];
    auto pipe = cuda::make_pipeline();
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x, tiles = (N + T - 1) / T;
    auto load = [&](int t) {
        pipe.producer_acquire();
        As[t % 2][y][x] = Bs[t % 2][y][x] = 0.0f;
        if (row < N && t * T + x < N)
            cuda::memcpy_async(&As[t % 2][y][x], &A[row * N + t * T + x], sizeof(float), pipe);
        if (t * T + y < N && col < N)
            cuda::memcpy_async(&Bs[t % 2][y][x], &B[(t * T + y) * N + col], sizeof(float), pipe);
        pipe.producer_commit();
    };
    float sum = 0.0f;
    load(0);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            load(t + 1);
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else {
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        }
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += As[t % 2][y][k] * Bs[t % 2][k][x];
        __syncthreads();
        pipe.consumer_release();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
