#include <lab.h>

#define IDX(r, c) r * N + c
#define PER_THREAD 4
#define BX 32
#define BY 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int row = (blockIdx.y * BY + threadIdx.y) * PER_THREAD;
    if (col >= N)
        return;

    float sum[PER_THREAD] = {0};

    for (int k = 0; k < N; k++) {
        float b = B[IDX(k, col)];
        for (int i = 0; i < PER_THREAD; i++) {
            if (row + i < N)
                sum[i] += A[IDX(row + i, k)] * b;
        }
    }

    for (int i = 0; i < PER_THREAD; i++)
        if (row + i < N)
            C[IDX(row + i, col)] = sum[i];
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY * PER_THREAD});
