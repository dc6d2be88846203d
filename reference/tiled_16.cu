// 3. Tiled, 16 x 16. What it adds over naive.cu: each element is fetched from memory once per block and then
// shared by the threads of that block.
//
// A block computes a 16 x 16 tile of C. It walks along K in steps of 16: all threads together copy a 16 x 16 tile
// of A and one of B into shared memory, one element of each per thread, then every thread uses 16 elements of both.
// An element that came from global memory is now used 16 times instead of once, so the traffic to global memory
// falls by 16: 2*N*N*N/16 loads, or 4 flops per byte.
#include <lab.h>

#ifndef ELEMENT
#define ELEMENT float  // -DELEMENT=int makes it the integer lab's kernel
#endif

constexpr int TILE = 16;

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
