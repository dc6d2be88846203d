// V1. Baseline: one thread computes one element of C, from global memory.
//
// 2*N FLOP for 2*N loads of 4 bytes per element: 0.25 FLOP per byte requested. With BLOCK 16, a warp loads 16
// contiguous elements of B and two elements of A, so caches answer most loads. Likely, the rate at which a
// multiprocessor serves loads limits the kernel.
//
// -DBLOCK=32 makes blocks of 32 x 32 threads. Each element then serves 32 threads of a block instead of 16, so more
// loads find their data in the L1 cache.
#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int col = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= N || col >= N)
        return;  // the last blocks extend past the edge of C

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK});
