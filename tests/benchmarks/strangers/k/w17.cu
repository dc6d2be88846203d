#include <lab.h>

enum { COLS_PER_BLOCK = 32, ROWS_PER_BLOCK = 8 };

extern "C" __global__ void matmul(const float *const A, const float *const B, float *const C, const int N)
{
    const int j = blockIdx.x * COLS_PER_BLOCK + threadIdx.x;
    const int i = blockIdx.y * ROWS_PER_BLOCK + threadIdx.y;

    if (i >= N) return;
    if (j >= N) return;

    double sum = 0.0;
    for (int k = 0; k != N; ++k)
        sum += (double)A[i * N + k] * B[k * N + j];
    C[i * N + j] = (float)sum;
}

LAUNCH(.block = {8, 32}, .tile = {32, 8});
