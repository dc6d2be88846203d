// expect: data-race; lines: 20; says: adds to it and stores the sum
// The first lane of each warp adds its part to a sum of the block, with an atomic load and an atomic store.
#include <cuda/atomic>
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total;
    int row = blockIdx.y, col = blockIdx.x;
    cuda::atomic_ref<float, cuda::thread_scope_block> sum(total);
    if (threadIdx.x == 0)
        sum.store(0.0f, cuda::memory_order_relaxed);
    __syncthreads();
    float part = 0.0f;
    for (int k = threadIdx.x; k < N; k += 64)
        part += A[row * N + k] * B[k * N + col];
    for (int lanes = 16; lanes > 0; lanes /= 2)
        part += __shfl_down_sync(0xffffffff, part, lanes);
    if (threadIdx.x % 32 == 0)
        sum.store(sum.load(cuda::memory_order_relaxed) + part, cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0)
        C[row * N + col] = sum.load(cuda::memory_order_relaxed);
}

LAUNCH(.block = {64, 1}, .tile = {1, 1});
