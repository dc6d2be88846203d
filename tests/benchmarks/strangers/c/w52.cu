#include <lab.h>

#define COLS_PER_BLOCK 128
#define ROWS_PER_BLOCK 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * COLS_PER_BLOCK + threadIdx.x;
    int row = blockIdx.y * ROWS_PER_BLOCK + threadIdx.y;

    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .grid_x = ROWS);
