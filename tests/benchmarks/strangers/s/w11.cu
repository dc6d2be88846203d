#include <lab.h>

/*
 * Thread coarsening: 32 x 8 threads, every thread does 4 rows of its column.
 * Assignment 3, Sem V.
 */
#define TILE_COLS 32
#define TILE_ROWS 32
#define STEP 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * TILE_COLS + threadIdx.x;
    const int firstRow = blockIdx.y * TILE_ROWS + threadIdx.y;

    if (col >= N)
        return;

    for (int off = 0; off < TILE_ROWS; off += STEP)
    {
        const int row = firstRow + off;
        if (firstRow < N)
        {
            float val = 0.0f;
            for (int k = 0; k < N; ++k)
                val += A[row * N + k] * B[k * N + col];
            C[row * N + col] = val;
        }
    }
}

LAUNCH(.block = {TILE_COLS, STEP}, .tile = {TILE_COLS, TILE_ROWS});
