#include <lab.h>

#define A_AT(i, j) A[i * N + j]
#define B_AT(i, j) B[i * N + j]
#define ROWS_PER_THREAD 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = (blockIdx.y * 8 + threadIdx.y) * ROWS_PER_THREAD;
    int col = blockIdx.x * 32 + threadIdx.x;
    if (col >= N)
        return;

    for (int r = 0; r < ROWS_PER_THREAD; ++r) {
        if (row + r >= N)
            return;
        float dot = 0.0f;
        for (int k = 0; k < N; ++k)
            dot += A_AT(row + r, k) * B_AT(k, col);
        C[(row + r) * N + col] = dot;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8 * ROWS_PER_THREAD});
