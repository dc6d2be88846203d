#include <lab.h>

#define T 16
#define PER 4
#define IDX(r, c, n) r * n + c

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * T + threadIdx.x;
    const int row0 = (blockIdx.y * T + threadIdx.y) * PER;
    float acc[PER] = {};

    if (col >= N) return;
    for (int k = 0; k < N; k++) {
        float b = B[IDX(k, col, N)];
        for (int i = 0; i < PER; i++)
            if (row0 + i < N)
                acc[i] += A[IDX(row0 + i, k, N)] * b;
    }
    for (int i = 0; i < PER; i++) {
        int row = row0 + i;
        if (row < N) C[IDX(row, col, N)] = acc[i];
    }
}

LAUNCH(.block = {T, T}, .tile = {T, T * PER});
