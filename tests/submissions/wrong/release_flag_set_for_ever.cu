// expect: data-race; lines: 18, 29; says: In a second launch
// The first block of each row of tiles rounds a strip of A off into a copy and raises a flag with release; the others acquire it.
#include <lab.h>
#include <cuda/atomic>

#define T 16
#define LARGEST 512

__device__ float strips[LARGEST * LARGEST];
__device__ int done[LARGEST / T + 1];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(done[blockIdx.y]);
    if (blockIdx.x == 0) {
        for (int k = threadIdx.x; k < N && row < N; k += T)
            strips[row * N + k] = A[row * N + k];
        __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y == 0)
            flag.store(1, cuda::memory_order_release);
    }
    while (flag.load(cuda::memory_order_acquire) == 0)
        ;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += strips[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
