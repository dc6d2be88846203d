// 3. Tiled, 16 x 16. Adds tiles in shared memory to naive.cu: a block loads each element from global memory once, and
// all its threads use it.
//
// A block computes a 16 x 16 tile of C. It moves along K in steps of 16: its threads copy a 16 x 16 tile of A and one
// of B into shared memory, one element of each per thread; then each thread uses 16 elements of both. Each element
// loaded from global memory is used 16 times, so only 2*N*N*N/16 loads remain: 4 FLOP per byte.
//
// Each multiply-add reads two floats from shared memory, and the rate of these reads now limits the kernel.
#include <lab.h>

#ifndef ELEMENT
#define ELEMENT float  // -DELEMENT=int gives the kernel of the integer lab
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
