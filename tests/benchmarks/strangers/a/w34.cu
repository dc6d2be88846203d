#include <lab.h>

#define TM 4
#define BX 32
#define BY 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * BX + threadIdx.x;
    int row = (blockIdx.y * BY + threadIdx.y) * TM;
    if (col >= N)
        return;

    float acc[TM] = {};
    for (int k = 0; k < N; ++k) {
        float b = B[k * N + col];
        for (int i = 0; i < TM; ++i)
            if (row + i < N)
                acc[i] += A[(row + i) * N + k] * b;
    }
    for (int i = 0; i < TM; ++i)
        if (row + i < N)
            C[(row + i) * N + col] = acc[i];
}

LAUNCH(.tile = {BX, BY * TM}, .block = {BX, BY});
