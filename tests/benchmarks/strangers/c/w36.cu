#include <lab.h>

#define BLOCK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // fewer registers per thread = better occupancy
    short row = blockIdx.y * BLOCK + threadIdx.y;
    short col = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= N || col >= N)
        return;

    short base = row * N;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[base + k] * B[k * N + col];
    C[base + col] = sum;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK});
