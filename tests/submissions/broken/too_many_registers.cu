// expect: launch-failed
// 1024 threads with 64 sums each, but a thread of a block this large can have only 64 registers in total. The simulator
// does not limit registers.
#include <lab.h>

#define SIDE 32
#define SHARE 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row0 = blockIdx.y * SIDE * SHARE + threadIdx.y;
    int col0 = blockIdx.x * SIDE * SHARE + threadIdx.x;

    float sum[SHARE][SHARE] = {};
    for (int k = 0; k < N; ++k) {
        float a[SHARE], b[SHARE];
#pragma unroll
        for (int i = 0; i < SHARE; ++i) {
            a[i] = row0 + i * SIDE < N ? A[(row0 + i * SIDE) * N + k] : 0.0f;
            b[i] = col0 + i * SIDE < N ? B[k * N + col0 + i * SIDE] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < SHARE; ++i)
#pragma unroll
            for (int j = 0; j < SHARE; ++j)
                sum[i][j] += a[i] * b[j];
    }

#pragma unroll
    for (int i = 0; i < SHARE; ++i)
#pragma unroll
        for (int j = 0; j < SHARE; ++j)
            if (row0 + i * SIDE < N && col0 + j * SIDE < N)
                C[(row0 + i * SIDE) * N + col0 + j * SIDE] = sum[i][j];
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {SIDE * SHARE, SIDE * SHARE});
