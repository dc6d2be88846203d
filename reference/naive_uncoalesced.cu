// 1. Naive, with a warp standing on a column of C. Correct, and slow on purpose: the starting point.
//
// One thread computes one element of C: a row of A times a column of B. That is 2*N flops for 2*N loads of
// 4 bytes, or 0.25 flop per byte. An H200 can do 67 Tflop/s but reads 4.8 TB/s from memory, so it wants about
// 14 flops for every byte. Everything that follows in this folder closes that gap.
//
// The 32 threads of a warp have consecutive threadIdx.x and load at the same moment. Here threadIdx.x picks the
// row, so their 32 addresses in A lie N floats apart. Memory moves in sectors of 32 bytes: 32 sectors (1024
// bytes) are moved for the 128 bytes that are used, and the store to C wastes as much.
#include <lab.h>

#ifndef ELEMENT
#define ELEMENT float  // -DELEMENT=int makes it the integer lab's kernel
#endif

constexpr int ROWS_PER_BLOCK = 32;
constexpr int COLS_PER_BLOCK = 8;

extern "C" __global__ void matmul(const ELEMENT *__restrict__ A, const ELEMENT *__restrict__ B, ELEMENT *__restrict__ C,
                                  int N)
{
    const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x;
    const int col = blockIdx.y * COLS_PER_BLOCK + threadIdx.y;
    if (row >= N || col >= N)
        return;  // the last blocks hang over the edge of C

    ELEMENT sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];  // int is wide enough up to N = 46340
    C[row * N + col] = sum;
}

LAUNCH(.block = {ROWS_PER_BLOCK, COLS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .grid_x = ROWS);
