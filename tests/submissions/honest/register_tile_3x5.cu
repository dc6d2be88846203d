// expect: ok
// Odd register tiles: a thread computes 3 x 5 neighbouring elements, and a block 24 x 80.
#include <lab.h>

#define ROWS_EACH 3
#define COLS_EACH 5

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row0 = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS_EACH;
    int col0 = (blockIdx.x * blockDim.x + threadIdx.x) * COLS_EACH;
    float sum[ROWS_EACH][COLS_EACH] = {};
    for (int k = 0; k < N; ++k)
        for (int i = 0; i < ROWS_EACH; ++i)
            for (int j = 0; j < COLS_EACH; ++j)
                if (row0 + i < N && col0 + j < N)
                    sum[i][j] += A[(row0 + i) * N + k] * B[k * N + col0 + j];
    for (int i = 0; i < ROWS_EACH; ++i)
        for (int j = 0; j < COLS_EACH; ++j)
            if (row0 + i < N && col0 + j < N)
                C[(row0 + i) * N + col0 + j] = sum[i][j];
}

LAUNCH(.block = {16, 8}, .tile = {16 * COLS_EACH, 8 * ROWS_EACH});
