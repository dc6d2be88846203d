// expect: wrong-answer; says: bits of another type
// Adds whole numbers, and stores the sums through a pointer to int.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= N || col >= N)
        return;

    int sum = 0;
    for (int k = 0; k < N; ++k)
        sum += (int)(A[row * N + k] * B[k * N + col]);
    ((int *)C)[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
