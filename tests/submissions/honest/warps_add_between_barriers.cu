// expect: ok
// Each warp in its turn adds to the sum of the block, with a relaxed load and store; barriers of the block separate the turns.
#include <cuda/atomic>
#include <lab.h>

#define WARPS 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total;
    int row = blockIdx.y, col = blockIdx.x;
    cuda::atomic_ref<float, cuda::thread_scope_block> sum(total);
    if (threadIdx.x == 0)
        sum.store(0.0f, cuda::memory_order_relaxed);
    float part = 0.0f;
    for (int k = threadIdx.x; k < N; k += 32 * WARPS)
        part += A[row * N + k] * B[k * N + col];
    for (int lanes = 16; lanes > 0; lanes /= 2)
        part += __shfl_down_sync(0xffffffff, part, lanes);
    for (int warp = 0; warp < WARPS; ++warp) {
        __syncthreads();
        if (threadIdx.x == 32 * warp)
            sum.store(sum.load(cuda::memory_order_relaxed) + part, cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        C[row * N + col] = sum.load(cuda::memory_order_relaxed);
}

LAUNCH(.block = {32 * WARPS, 1}, .tile = {1, 1});
