// expect: ok
// Asynchronous copies with cuda::pipeline: each thread copies its own element and waits for it.
#include <cuda/pipeline>
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        As[ty][tx] = Bs[ty][tx] = 0.0f;
        pipeline.producer_acquire();
        if (row < N && first + tx < N)
            cuda::memcpy_async(&As[ty][tx], &A[row * N + first + tx], sizeof(float), pipeline);
        if (first + ty < N && col < N)
            cuda::memcpy_async(&Bs[ty][tx], &B[(first + ty) * N + col], sizeof(float), pipeline);
        pipeline.producer_commit();
        pipeline.consumer_wait();
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        pipeline.consumer_release();
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
