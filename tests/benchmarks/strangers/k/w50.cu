#include <lab.h>

#define IDX(r, c, ld) r * ld + c
#define RPT 4  // rows per thread

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = (blockIdx.y * 8 + threadIdx.y) * RPT;
    if (col >= N)
        return;

    float s[RPT];
    for (int i = 0; i < RPT; ++i)
        s[i] = 0.0f;

    for (int k = 0; k < N; ++k) {
        float b = B[IDX(k, col, N)];
        for (int i = 0; i < RPT; ++i)
            if (row + i < N)
                s[i] += A[IDX(row + i, k, N)] * b;
    }

    for (int i = 0; i < RPT; ++i)
        if (row + i < N)
            C[IDX(row + i, col, N)] = s[i];
}

LAUNCH(.block = {32, 8}, .tile = {32, 8 * RPT});
