#include <lab.h>
// every thread does 4 rows now, so there are fewer blocks
#define BX 32
#define BY 8
#define ROWS_PER_THREAD 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int firstRow = blockIdx.y * (BY * ROWS_PER_THREAD) + threadIdx.y;
    float sum = 0.0f;

    if (col >= N)
        return;
    for (int r = 0; r < ROWS_PER_THREAD; ++r) {
        int row = firstRow + r * BY;
        if (row < N) {
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
            C[row * N + col] = sum;
        }
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY * ROWS_PER_THREAD});
