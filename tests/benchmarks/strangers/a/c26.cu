#include <lab.h>

#define Q 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int r0 = blockIdx.y * Q, c0 = blockIdx.x * Q;
    const int rows = min(Q, N - r0), cols = min(Q, N - c0);
    float acc[Q][Q] = {};

    for (int k = 0; k < N; ++k)
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < cols; ++j)
                acc[i][j] += A[(r0 + i) * N + k] * B[k * N + c0 + j];

    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            C[(r0 + i) * N + c0 + j] = acc[i][j];
}

LAUNCH(.block = {1}, .tile = {Q, Q});
