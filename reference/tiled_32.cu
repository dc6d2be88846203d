// 4. Tiled, 32 x 32. What it adds over tiled_16.cu: a tile with twice the side, and nothing else.
//
// Reuse grows with the side of the tile: every element that came from global memory is used 32 times, so the
// traffic halves once more: 2*N*N*N/32 loads, or 8 flops per byte. A row of the tile is now as wide as a warp: the
// 32 loads of a warp are one contiguous piece of 128 bytes, and its reads of Bs[k][tx] touch all 32 banks of shared
// memory once.
//
// The side cannot grow further this way: 32 x 32 = 1024 threads is the largest block there is. And every
// multiply-add still reads two floats from shared memory, which is the next limit.
#include <lab.h>

#ifndef ELEMENT
#define ELEMENT float  // -DELEMENT=int makes it the integer lab's kernel
#endif

constexpr int TILE = 32;

extern "C" __global__ void matmul(const ELEMENT *__restrict__ A, const ELEMENT *__restrict__ B, ELEMENT *__restrict__ C,
                                  int N)
{
    __shared__ ELEMENT As[TILE][TILE];
    __shared__ ELEMENT Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    ELEMENT sum = 0;
    for (int first = 0; first < N; first += TILE) {
        // Zeros stand for what lies outside the matrices: they add nothing to the sum.
        As[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0;
        Bs[ty][tx] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0;
        __syncthreads();  // both tiles are complete before anyone reads them

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();  // everyone is done reading before the next tiles overwrite these
    }

    // Threads outside C must not leave earlier: they help to load, and every thread must reach every barrier.
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
