// expect: ok; sizes: 36
// A lock written with exchanges alone, around a sum that is loaded and stored.
#include <cuda/atomic>
#include <lab.h>

#define T 16

using Count = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ float sums[512 * 512];
__device__ unsigned done[64][64];
__device__ int locks[4096];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ unsigned ticket;
    int part = blockIdx.x % 2, tile = blockIdx.x / 2, parts = min(2, gridDim.x - 2 * tile);
    int row = blockIdx.y * T + threadIdx.y, col = tile * T + threadIdx.x, place = blockIdx.y * 64 + tile;
    bool inside = row < N && col < N, leads = threadIdx.x == 0 && threadIdx.y == 0;
    float sum = 0.0f;
    for (int k = part; inside && k < N; k += parts)
        sum += A[row * N + k] * B[k * N + col];
    if (leads) {
        while (Count(locks[place]).exchange(1, cuda::memory_order_acquire) != 0)
            ;
        __threadfence();
    }
    __syncthreads();
    cuda::atomic_ref<float, cuda::thread_scope_device> total(sums[inside ? row * N + col : 0]);
    if (inside)
        total.store(total.load(cuda::memory_order_relaxed) + sum, cuda::memory_order_relaxed);
    __threadfence();
    __syncthreads();
    if (leads) {
        Count(locks[place]).store(0, cuda::memory_order_release);
        __threadfence();
        ticket = atomicInc(&done[blockIdx.y][tile], parts - 1);
    }
    __syncthreads();
    if (ticket == parts - 1 && inside) {
        C[row * N + col] = total.load(cuda::memory_order_relaxed);
        total.store(0.0f, cuda::memory_order_relaxed);
    }
}

LAUNCH(.block = {T, T}, .tile = {T / 2, T});
