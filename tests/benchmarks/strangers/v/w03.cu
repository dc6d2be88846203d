// No shared memory: every thread computes a strip of 8 rows in one column,
// so each B value is used 8 times. __ldg for the read-only cache.
#include <lab.h>

#define BX 32
#define BY 8
#define STRIP 8

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *C, int N)
{
    const int col = blockIdx.x * BX + threadIdx.x;
    const int row = (blockIdx.y * BY + threadIdx.y) * STRIP;
    if (col >= N || row >= N) return;

    float r[STRIP];
    for (int i = 0; i < STRIP; ++i) r[i] = 0.f;

    const int rows = min(STRIP, N - row);
    for (int k = 0; k < N; ++k) {
        const float b = __ldg(B + k * N + col);
        #pragma unroll
        for (int i = 0; i < STRIP; ++i)
            if (i < rows)
                r[i] = fmaf(__ldg(A + (row + i) * N + k), b, r[i]);
    }

    #pragma unroll
    for (int i = 0; i < STRIP; ++i)
        if (i < rows)
            C[(row + i) * N + col] = r[i];
}

LAUNCH(.block = {BX, BY}, .tile = {BY * STRIP, BX});
