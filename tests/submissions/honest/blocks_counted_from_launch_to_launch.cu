// expect: ok; sizes: 36
// Never resets its counts of blocks, one for each grid: a block knows by its number which round it waits for.
#include <lab.h>

#define T 16
#define LARGEST 512

__device__ float turned[LARGEST * LARGEST];
__device__ unsigned counts[64][64];

__device__ void wait_for_all_blocks()
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        unsigned blocks = gridDim.x * gridDim.y;
        unsigned *arrived = &counts[gridDim.y][gridDim.x];
        unsigned mine = atomicAdd(arrived, 1), round = mine / blocks;
        while (atomicAdd(arrived, 0) < (round + 1) * blocks)
            __nanosleep(20);
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(T * T, 8) matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    if (row < N && col < N)
        turned[col * N + row] = B[row * N + col];
    wait_for_all_blocks();
    float sum = 0.0f;
    for (int k = 0; row < N && col < N && k < N; ++k)
        sum += A[row * N + k] * __ldcg(&turned[col * N + k]);
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
