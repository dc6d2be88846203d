// expect: unset-memory; lines: 18; says: Set sums to 0 before line 18 adds to it
// The threads of a block add their parts of a sum with atomics, and nobody has set the sums to zero.
#include <lab.h>

#define PARTS 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sums[PARTS];

    int tx = threadIdx.x, part = threadIdx.y;
    int row = blockIdx.y, col = blockIdx.x * PARTS + tx;
    float sum = 0.0f;
    for (int k = part; k < N; k += PARTS)
        if (col < N)
            sum += A[row * N + k] * B[k * N + col];

    atomicAdd(&sums[tx], sum);
    __syncthreads();
    if (part == 0 && col < N)
        C[row * N + col] = sums[tx];
}

LAUNCH(.block = {PARTS, PARTS}, .tile = {PARTS, 1});
