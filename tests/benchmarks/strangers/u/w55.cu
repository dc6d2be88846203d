#include <lab.h>

enum { BX = 32, BY = 8, PER = 4 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * BX + threadIdx.x;
    const int top = blockIdx.y * BY * PER + threadIdx.y;
    if (col >= N) return;

    float acc[PER];
    for (int p = 0; p < PER; ++p) acc[p] = 0.0f;

    for (int k = 0; k < N; ++k)
    {
        const float b = B[k * N + col];
        #pragma unroll
        for (int p = 0; p < PER; ++p)
            if (top + p * BY < N)
                acc[p] += A[(top + p * BY) * N + k] * b;
    }

    for (int p = 0; p < PER; ++p)
        if (top + p * BY < N)
            C[(top + p * BY) * N + col] = acc[p];
}

LAUNCH(.block = {BY, BX}, .tile = {32, 32});
