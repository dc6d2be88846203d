// expect: ok; sizes: 36
// The first launch computes a table of signs and raises a flag, which stays up: later launches use the table as it is.
#include <lab.h>

#define T 16
#define LARGEST 512

__device__ float signs[LARGEST];
__device__ int ready;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        if (blockIdx.x == 0 && blockIdx.y == 0 && atomicAdd(&ready, 0) == 0) {
            for (int k = 0; k < LARGEST; ++k)
                signs[k] = k % 2 ? -1.0f : 1.0f;
            __threadfence();
            atomicExch(&ready, 1);
        }
        while (atomicAdd(&ready, 0) == 0)
            __nanosleep(20);
        __threadfence();
    }
    __syncthreads();
    if (row >= N || col >= N)
        return;
    float sums[2] = {0.0f, 0.0f};
    for (int k = 0; k < N; ++k)
        sums[k % 2] += __ldcg(&signs[k]) * A[row * N + k] * B[k * N + col];
    C[row * N + col] = sums[0] - sums[1];
}

LAUNCH(.block = {T, T}, .tile = {T, T});
