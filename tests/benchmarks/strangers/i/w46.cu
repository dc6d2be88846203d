#include <lab.h>

#define COLS_PER_BLOCK 16
#define ROWS_PER_BLOCK 64

// x is the direction of the rows, as in the template
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.y;
    int col = blockIdx.y * COLS_PER_BLOCK + threadIdx.x;
    if (col >= N) return;

    // 16 threads in y: every thread has 4 rows with a distance of 16
    for (int i = 0; i < 4; ++i, row += 16) {
        if (row >= N) break;
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {COLS_PER_BLOCK, ROWS_PER_BLOCK});
