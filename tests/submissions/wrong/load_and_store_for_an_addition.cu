// expect: data-race; lines: 22; says: both load the same value, one of the two additions is lost
// Two blocks add their halves to one sum with an atomic load and an atomic store instead of one atomic addition.
#include <cuda/atomic>
#include <lab.h>

#define T 16

__device__ float sums[512 * 512];
__device__ unsigned done[64][64];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ unsigned ticket;
    int part = blockIdx.x % 2, tile = blockIdx.x / 2, parts = min(2, gridDim.x - 2 * tile);
    int row = blockIdx.y * T + threadIdx.y, col = tile * T + threadIdx.x;
    bool inside = row < N && col < N;
    float sum = 0.0f;
    for (int k = part; inside && k < N; k += parts)
        sum += A[row * N + k] * B[k * N + col];
    cuda::atomic_ref<float, cuda::thread_scope_device> total(sums[inside ? row * N + col : 0]);
    if (inside)
        total.store(total.load(cuda::memory_order_relaxed) + sum, cuda::memory_order_relaxed);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0)
        ticket = atomicInc(&done[blockIdx.y][tile], parts - 1);
    __syncthreads();
    if (ticket == parts - 1 && inside) {
        C[row * N + col] = total.load(cuda::memory_order_relaxed);
        total.store(0.0f, cuda::memory_order_relaxed);
    }
}

LAUNCH(.block = {T, T}, .tile = {T / 2, T});
