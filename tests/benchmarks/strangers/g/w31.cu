#include <lab.h>

#define R 8   // outputs per thread

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col  = blockIdx.x * 32 + threadIdx.x;
    const int row0 = (blockIdx.y * 8 + threadIdx.y) * R;

    float acc[R];
    acc[0] = acc[1] = acc[2] = acc[3] = 0.0f;

    if (col >= N)
        return;

    for (int k = 0; k < N; ++k) {
        const float b = B[k * N + col];
#pragma unroll
        for (int i = 0; i < R; ++i)
            if (row0 + i < N)
                acc[i] += A[(row0 + i) * N + k] * b;
    }

#pragma unroll
    for (int i = 0; i < R; ++i)
        if (row0 + i < N)
            C[(row0 + i) * N + col] = acc[i];
}

LAUNCH(.block = {32, 8}, .tile = {32, 8 * R});
