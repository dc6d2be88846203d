// expect: ok; sizes: 36
// Each thread adds to a sum that only it uses, by loads and stores; a rough count of the blocks may miss some, and nobody reads it.
#include <cuda/atomic>
#include <lab.h>

__device__ float sums[512 * 512];
__device__ int blocks;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> count(blocks);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        count.store(count.load(cuda::memory_order_relaxed) + 1, cuda::memory_order_relaxed);
    if (row >= N || col >= N)
        return;
    cuda::atomic_ref<float, cuda::thread_scope_device> own(sums[row * N + col]);
    own.store(0.0f, cuda::memory_order_relaxed);
    for (int k = 0; k < N; ++k)
        own.store(own.load(cuda::memory_order_relaxed) + A[row * N + k] * B[k * N + col], cuda::memory_order_relaxed);
    C[row * N + col] = own.load(cuda::memory_order_relaxed);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
