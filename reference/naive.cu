// 2. Naive, coalesced. Differs from naive_uncoalesced.cu in one point: threadIdx.x selects the column.
//
// A warp now computes 32 neighbours in a row of C. In each step of the loop, its threads load 32 neighbours in a row
// of B, which are 128 contiguous bytes (4 sectors, if aligned), and one common element of A (1 sector, broadcast to
// all). That is 5 sectors per step instead of 33, with the same arithmetic and the same instructions. The store to C
// is coalesced as well.
//
// Each multiply-add still needs two loads: 0.25 FLOP per byte requested. Caches answer most of these loads, but every
// element of A and of B is requested N times, and likely, the rate at which a multiprocessor serves loads limits the
// kernel.
#include <lab.h>

#ifndef ELEMENT
#define ELEMENT float  // -DELEMENT=int gives the kernel of the integer lab
#endif

constexpr int COLS_PER_BLOCK = 32;
constexpr int ROWS_PER_BLOCK = 8;

extern "C" __global__ void matmul(const ELEMENT *__restrict__ A, const ELEMENT *__restrict__ B, ELEMENT *__restrict__ C,
                                  int N)
{
    const int row = blockIdx.y * ROWS_PER_BLOCK + threadIdx.y;
    const int col = blockIdx.x * COLS_PER_BLOCK + threadIdx.x;
    if (row >= N || col >= N)
        return;  // the last blocks extend past the edge of C

    ELEMENT sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];  // an int index does not overflow up to N = 46340
    C[row * N + col] = sum;
}

LAUNCH(.block = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK});
