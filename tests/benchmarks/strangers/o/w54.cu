#include <lab.h>

#define COLS_PER_BLOCK 64
#define ROWS_PER_BLOCK 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // blockIdx.x may be huge, so it runs along the rows
    int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
    int col = blockIdx.y * COLS_PER_BLOCK + threadIdx.x;

    if (row < N && col < N) {
        const float *pa = A + (size_t)row * N;
        const float *pb = B + col;
        float sum = 0.0f;
        for (int k = 0; k < N; ++k, pb += N)
            sum += pa[k] * *pb;
        C[(size_t)row * N + col] = sum;
    }
}

LAUNCH(.block = {COLS_PER_BLOCK, ROWS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK});
