// 4. Tiled, 32 x 32. Differs from tiled_16.cu only in the side of the tile.
//
// Each element loaded from global memory is used 32 times instead of 16, so the traffic halves: 2*N*N*N/32 loads, or
// 8 FLOP per byte. A row of the tile is as wide as a warp: the 32 loads of a warp are 128 contiguous bytes, and its
// reads of Bs[k][tx] access each of the 32 banks of shared memory once.
//
// The tile cannot grow further this way, because 32 x 32 = 1024 threads is the largest block. Each multiply-add still
// reads two floats from shared memory, and this still limits the kernel: half the traffic makes it only a little
// faster.
#include <lab.h>

#ifndef ELEMENT
#define ELEMENT float  // -DELEMENT=int gives the kernel of the integer lab
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
        // Elements outside the matrices are loaded as zeros, which add nothing to the sum.
        As[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0;
        Bs[ty][tx] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0;
        __syncthreads();  // no thread reads the tiles before they are complete

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();  // no thread overwrites the tiles before all have read them
    }

    // Threads outside C must not return earlier: they help to load, and every thread must reach every barrier.
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
