// expect: wrong-answer
// A thread computes four columns and stores three of them.
#include <lab.h>

#define TILE 16
#define COLUMNS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = (blockIdx.x * TILE + threadIdx.x) * COLUMNS;
    if (row >= N)
        return;

    float sums[COLUMNS] = {};
    for (int k = 0; k < N; ++k)
        for (int j = 0; j < COLUMNS; ++j)
            if (col + j < N)
                sums[j] += A[row * N + k] * B[k * N + col + j];
    for (int j = 0; j < COLUMNS - 1; ++j)
        if (col + j < N)
            C[row * N + col + j] = sums[j];
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE * COLUMNS, TILE});
