#include <lab.h>

// Thread coarsening: a thread walks down ROWS_PER_THREAD rows of one column.
#define BLOCK_X         32
#define BLOCK_Y         8
#define ROWS_PER_THREAD 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col      = blockIdx.x * BLOCK_X + threadIdx.x;
    const int firstRow = blockIdx.y * (BLOCK_Y * ROWS_PER_THREAD) + threadIdx.y;
    float acc = 0.0f;

    if (col >= N)
        return;

    for (int step = 0; step < ROWS_PER_THREAD; ++step) {
        const int row = firstRow + step * BLOCK_Y;
        if (row < N) {
            for (int k = 0; k < N; ++k)
                acc += A[row * N + k] * B[k * N + col];
            C[row * N + col] = acc;
        }
    }
}

LAUNCH(.block = {BLOCK_X, BLOCK_Y}, .tile = {BLOCK_X, BLOCK_Y * ROWS_PER_THREAD});
