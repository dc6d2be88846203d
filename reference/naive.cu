// 2. Naive, coalesced. What it adds over naive_uncoalesced.cu: threadIdx.x picks the column.
//
// Now a warp stands on a row of C. In every step of the loop its 32 threads read 32 neighbours in a row of B, one
// contiguous piece of 128 bytes (4 sectors), and all of them read the same element of A, which is fetched once and
// broadcast (1 sector). That is 5 sectors per step instead of 33, with the same arithmetic and the same number of
// instructions. The store to C is contiguous as well.
//
// Still one pair of loads per multiply-add: 0.25 flop per byte asked for. The caches absorb much of it, but every
// element of A and of B is requested N times.
#include <lab.h>

#ifndef ELEMENT
#define ELEMENT float  // -DELEMENT=int makes it the integer lab's kernel
#endif

constexpr int COLS_PER_BLOCK = 32;
constexpr int ROWS_PER_BLOCK = 8;

extern "C" __global__ void matmul(const ELEMENT *__restrict__ A, const ELEMENT *__restrict__ B, ELEMENT *__restrict__ C,
                                  int N)
{
    const int row = blockIdx.y * ROWS_PER_BLOCK + threadIdx.y;
    const int col = blockIdx.x * COLS_PER_BLOCK + threadIdx.x;
    if (row >= N || col >= N)
        return;  // the last blocks hang over the edge of C

    ELEMENT sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];  // int is wide enough up to N = 46340
    C[row * N + col] = sum;
}

LAUNCH(.block = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK});
