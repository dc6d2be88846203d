// expect: out-of-bounds; lines: 23; says: outside sums
// Keeps the sums of a row of blocks in a variable, and counts its elements from 1. Behind it is another variable.
#include <lab.h>

#define TILE 16

__device__ float sums[TILE * TILE];
__device__ float largest[TILE];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;

    if (blockIdx.x == 0 && blockIdx.y == 0) {
        sums[1 + threadIdx.y * TILE + threadIdx.x] = sum;
        if (threadIdx.y == 0)
            largest[threadIdx.x] = sum;
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
