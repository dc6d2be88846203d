// 1. Naive, uncoalesced. The starting point: correct, and slow on purpose.
//
// One thread computes one element of C from a row of A and a column of B: 2*N FLOP for 2*N loads of 4 bytes, or 0.25
// FLOP per byte requested. An H200 computes 67 TFLOPS and reads 4.8 TB/s from memory, so it needs about 14 FLOP per
// byte to keep its arithmetic busy. The other kernels in this folder close that gap.
//
// The 32 threads of a warp have consecutive threadIdx.x and execute a load together. Here, threadIdx.x selects the
// row, so their 32 addresses in A are N floats apart. Memory is accessed in sectors of 32 bytes: each load of A
// touches 32 sectors (1024 bytes) to use 128 bytes, and so does the store to C. These uncoalesced accesses limit the
// kernel.
#include <lab.h>

#ifndef ELEMENT
#define ELEMENT float  // -DELEMENT=int gives the kernel of the integer lab
#endif

constexpr int ROWS_PER_BLOCK = 32;
constexpr int COLS_PER_BLOCK = 8;

extern "C" __global__ void matmul(const ELEMENT *__restrict__ A, const ELEMENT *__restrict__ B, ELEMENT *__restrict__ C,
                                  int N)
{
    const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x;
    const int col = blockIdx.y * COLS_PER_BLOCK + threadIdx.y;
    if (row >= N || col >= N)
        return;  // the last blocks extend past the edge of C

    ELEMENT sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];  // an int index does not overflow up to N = 46340
    C[row * N + col] = sum;
}

LAUNCH(.block = {ROWS_PER_BLOCK, COLS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .grid_x = ROWS);
