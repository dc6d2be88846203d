#include <lab.h>
#define BX 32
#define BY 8
#define COLS_PER_THREAD 4

// thread coarsening: a thread walks over 4 columns that are BX apart
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row  = blockIdx.y * BY + threadIdx.y;
    int col0 = blockIdx.x * (BX * COLS_PER_THREAD) + threadIdx.x;

    if (row >= N)
        return;

    float sum = 0;
    for (int j = 0; j < COLS_PER_THREAD; j++) {
        int col = col0 + j * BX;
        if (col >= N)
            break;
        for (int k = 0; k < N; k++)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {BX, BY}, .tile = {BX * COLS_PER_THREAD, BY});
