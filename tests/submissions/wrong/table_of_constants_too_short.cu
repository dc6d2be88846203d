// expect: out-of-bounds; lines: 17; says: outside factors
// The table of factors has one element for each thread of a row of 16, but the block has 32.
#include <lab.h>

__constant__ float factors[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 8 + threadIdx.y;
    int col = blockIdx.x * 32 + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum * factors[threadIdx.x];
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
