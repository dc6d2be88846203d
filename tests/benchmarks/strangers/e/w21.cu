#include <lab.h>

// Every thread does 4 columns that are 16 apart.
__constant__ int colOffset[4] = {0, 16, 32, 46};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 64 + threadIdx.x;
    if (row >= N)
        return;

    float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    for (int k = 0; k < N; ++k) {
        float a = A[row * N + k];
        const float *b = &B[k * N + col];
        if (col + colOffset[0] < N) c0 += a * b[colOffset[0]];
        if (col + colOffset[1] < N) c1 += a * b[colOffset[1]];
        if (col + colOffset[2] < N) c2 += a * b[colOffset[2]];
        if (col + colOffset[3] < N) c3 += a * b[colOffset[3]];
    }

    float *c = &C[row * N + col];
    if (col + colOffset[0] < N) c[colOffset[0]] = c0;
    if (col + colOffset[1] < N) c[colOffset[1]] = c1;
    if (col + colOffset[2] < N) c[colOffset[2]] = c2;
    if (col + colOffset[3] < N) c[colOffset[3]] = c3;
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
