// V3. Shared tiles. Adds tiles in shared memory to v1_baseline.cu: a block loads each element once for all its
// threads.
//
// A block computes BLOCK x BLOCK elements of C. In each step, its threads copy a tile of A and a tile of B into
// shared memory, one element of each per thread, and use each element BLOCK times: 4 FLOP per byte of global memory
// for BLOCK 16, 8 for BLOCK 32. The two barriers separate copying from computing. Each multiply-add reads two floats
// from shared memory, and the rate of these reads limits the kernel.
//
// BLOCK 32 halves the traffic and the number of barriers. But only two blocks of 1024 threads fit on a
// multiprocessor: while one of them waits at a barrier, only the other one has work to do.
#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BLOCK][BLOCK];
    __shared__ float Bs[BLOCK][BLOCK];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK + ty;
    const int col = blockIdx.x * BLOCK + tx;

    float sum = 0.0f;
    for (int first = 0; first < N; first += BLOCK) {
        As[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0.0f;
        Bs[ty][tx] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < BLOCK; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK});
