// expect: wrong-answer; says: multiple of 2^-30
// Adds the products as fixed-point numbers of 64 bits, which is exact for values near 1 and loses all others.
#include <lab.h>

#define TILE 16
#define UNITS 1073741824.0  // 2^30

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= N || col >= N)
        return;

    long long sum = 0;
    for (int k = 0; k < N; ++k)
        sum += llrint((double)A[row * N + k] * B[k * N + col] * UNITS);
    C[row * N + col] = (float)(sum / UNITS);
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
