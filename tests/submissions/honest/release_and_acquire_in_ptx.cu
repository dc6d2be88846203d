// expect: ok; sizes: 36
// The leftmost block copies a row of A for its neighbours and releases a flag, which they acquire; the last of them
// lowers it again for the next launch.
#include <lab.h>

__device__ unsigned ready[1024], left[1024];
__device__ float copies[1024 * 1024];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y, t = threadIdx.x, col = blockIdx.x * blockDim.x + t;
    if (blockIdx.x == 0) {
        for (int k = t; k < N; k += blockDim.x)
            copies[row * N + k] = A[row * N + k];
        __syncthreads();
        if (t == 0 && gridDim.x > 1)
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(&ready[row]) : "memory");
    } else if (t == 0) {
        unsigned seen = 0;
        while (!seen)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&ready[row]) : "memory");
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < N && col < N; ++k)
        sum += copies[row * N + k] * B[k * N + col];
    if (col < N)
        C[row * N + col] = sum;
    if (t == 0 && blockIdx.x > 0 && atomicAdd(&left[row], 1) == gridDim.x - 2) {
        atomicExch(&left[row], 0);
        atomicExch(&ready[row], 0);
    }
}

LAUNCH(.block = {64}, .tile = {64, 1});
