// V1. Baseline: one thread computes one element of C, from global memory.
//
// Per element 2*N flops for 2*N loads of 4 bytes: 0.25 flop per byte asked for. A warp reads 32 neighbours of B (for
// BLOCK 16: two rows of 16) and one or two elements of A, so the caches serve most of it; what limits is how many
// loads a multiprocessor can have under way.
//
// -DBLOCK=32 makes blocks of 32 x 32 threads. A warp is then one row of C and not two halves: fewer different sectors
// for each load.
#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int col = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= N || col >= N)
        return;  // the last blocks hang over the edge of C

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK});
