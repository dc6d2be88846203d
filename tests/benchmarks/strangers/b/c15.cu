#include <lab.h>

#define COLS_PER_BLOCK 64
#define STRIP 8
#define DEPTH 64

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[DEPTH][STRIP];
    const int x = threadIdx.x;
    const int col = blockIdx.x * COLS_PER_BLOCK + x;
    const int row0 = blockIdx.y * STRIP;
    float c[STRIP];
#pragma unroll
    for (int i = 0; i < STRIP; ++i) c[i] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += DEPTH) {
#pragma unroll
        for (int i = 0; i < STRIP; ++i)
            a[x][i ^ (x & 7)] = row0 + i < N && k0 + x < N ? A[(row0 + i) * N + k0 + x] : 0.0f;
        __syncthreads();
        if (col < N)
            for (int k = 0; k < DEPTH && k0 + k < N; ++k) {
                const float b = B[(k0 + k) * N + col];
#pragma unroll
                for (int i = 0; i < STRIP; ++i)
                    c[i] += a[k][i ^ (k & 7)] * b;
            }
        __syncthreads();
    }

    if (col >= N) return;
#pragma unroll
    for (int i = 0; i < STRIP; ++i)
        if (row0 + i < N)
            C[(row0 + i) * N + col] = c[i];
}

LAUNCH(.block = {COLS_PER_BLOCK}, .tile = {COLS_PER_BLOCK, STRIP});
