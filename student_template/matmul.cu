// Your matrix multiplication: C = A * B, all three N x N, row-major, float. It is correct for every N, and slow.
// Keep it correct, make it fast.
//
//   First    Neighbouring threads should touch neighbouring addresses. threadIdx.x runs fastest within a warp:
//            which of row and col should it pick? (Change the two index lines and the LAUNCH line together.)
//   Second   Every element of A and B is fetched N times. Let a block load a tile of each into __shared__ memory,
//            __syncthreads(), use the tile, __syncthreads(), and go on to the next. Mind the edges: N need not be
//            a multiple of the tile.
//   Third    Let one thread compute several elements of C in registers, so that each value read from shared
//            memory is used more than once.
//
// Check it as often as you like:   grade check matmul.cu
#include <lab.h>

#ifndef BLOCK  // grade sweep matmul.cu --define BLOCK=8,16,32 tries others
#define BLOCK 16
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.x * BLOCK + threadIdx.x;
    int col = blockIdx.y * BLOCK + threadIdx.y;

    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

// Threads per block, and the columns and rows of C that one block computes. blockIdx.x runs along the rows of C
// here; leave .grid_x out and it runs along the columns.
LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK}, .grid_x = ROWS);
