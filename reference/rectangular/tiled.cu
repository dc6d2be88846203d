// 2. Tiled. What it adds over naive.cu: each element is fetched once per block and shared by the block's threads.
//
// A block computes BLOCK x BLOCK elements of C. It walks along K in steps of BLOCK: every thread copies one element
// of A and one of B into shared memory, then uses BLOCK of both. That leaves 2 * M * N * K / BLOCK loads from global
// memory: 4 flops per byte for BLOCK 16, and 8 for -DBLOCK=32.
//
// The larger tile halves the traffic and the number of barriers, and fills four times as much shared memory with
// blocks of 1024 threads, of which only two fit on a multiprocessor.
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
        // Zeros stand for what lies outside the matrices. M, N and K have edges of their own: rows end at M,
        // columns at N, and the tiles along the sum at K.
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
