// 2. Tiled. Adds tiles in shared memory to naive.cu: a block loads each element once, and all its threads use it.
//
// A block computes BLOCK x BLOCK elements of C. It moves along K in steps of BLOCK: each thread copies one element of
// A and one of B into shared memory, then uses BLOCK elements of both. That leaves 2 * M * N * K / BLOCK loads from
// global memory: 4 FLOP per byte for BLOCK 16, and 8 for -DBLOCK=32. Each multiply-add reads two floats from shared
// memory.
//
// The larger tile halves the traffic and the number of barriers. It takes four times as much shared memory and a
// block of 1024 threads, of which at most two fit on a multiprocessor.
#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int M, int N, int K)
{
    __shared__ float As[BLOCK][BLOCK];
    __shared__ float Bs[BLOCK][BLOCK];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK + ty;
    const int col = blockIdx.x * BLOCK + tx;

    float sum = 0.0f;
    for (int first = 0; first < K; first += BLOCK) {
        // Elements outside the matrices are loaded as zeros. M, N and K are checked separately: rows of C end at M,
        // columns at N, and the sum at K.
        As[ty][tx] = row < M && first + tx < K ? A[row * K + first + tx] : 0.0f;
        Bs[ty][tx] = first + ty < K && col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < BLOCK; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK});
