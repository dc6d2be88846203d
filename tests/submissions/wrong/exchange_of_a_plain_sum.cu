// expect: data-race; lines: 22; says: use atomicAdd
// Two threads add their halves of a sum with atomicExch(), and compute the new sum from a plain read.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y, half = threadIdx.z;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    if (half == 0)
        sums[ty][tx] = 0.0f;
    __syncthreads();

    float sum = 0.0f;
    for (int k = half; k < N; k += 2)
        if (row < N && col < N)
            sum += A[row * N + k] * B[k * N + col];

    atomicExch(&sums[ty][tx], sums[ty][tx] + sum);
    __syncthreads();
    if (half == 0 && row < N && col < N)
        C[row * N + col] = sums[ty][tx];
}

LAUNCH(.block = {TILE, TILE, 2}, .tile = {TILE, TILE});
