// V2. Unrolled. What it adds over v1_baseline.cu: four steps of the loop over k are written out.
//
// That saves three of four comparisons and jumps, and the loads of four steps can start before the first is used. The
// traffic is the same: 0.25 flop per byte. Compilers have learnt to unroll such a loop themselves (nvcc does, by four),
// so where the loads are the limit, this gains little or nothing; it is the measurement that tells.
#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int col = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    int k = 0;
    for (; k + 4 <= N; k += 4) {
        sum += A[row * N + k] * B[k * N + col];
        sum += A[row * N + k + 1] * B[(k + 1) * N + col];
        sum += A[row * N + k + 2] * B[(k + 2) * N + col];
        sum += A[row * N + k + 3] * B[(k + 3) * N + col];
    }
    for (; k < N; ++k)  // what is left where N is not divisible by 4
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK});
