// V4. Coarsened. Extends v1_baseline.cu (without tiles): a thread computes COARSE elements in a row of C.
//
// An element of A is loaded once and used COARSE times: with COARSE 4, there are 5 loads for 4 multiply-adds instead
// of 8, or 0.4 FLOP per byte. The 4 sums are independent, so 4 multiply-adds can be in flight at a time.
//
// Two choices decide whether coarsening helps. First, the elements of a thread are BLOCK columns apart: if they were
// adjacent, neighbouring threads would load elements of B that are COARSE apart, and each load of a warp would touch
// COARSE times as many sectors. Second, the loop over k is the outer loop: otherwise, each thread would read the row
// of A again for every element.
#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif
#ifndef COARSE
#define COARSE 4
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * BLOCK + threadIdx.y;
    const int col0 = blockIdx.x * BLOCK * COARSE + threadIdx.x;  // and col0 + BLOCK, col0 + 2 * BLOCK, ...
    if (row >= N)
        return;

    float sum[COARSE] = {};
    for (int k = 0; k < N; ++k) {
        const float a = A[row * N + k];
#pragma unroll  // sum[] can be in registers only if the compiler knows its indices
        for (int c = 0; c < COARSE; ++c) {
            const int col = col0 + c * BLOCK;
            if (col < N)
                sum[c] += a * B[k * N + col];
        }
    }

#pragma unroll
    for (int c = 0; c < COARSE; ++c) {
        const int col = col0 + c * BLOCK;
        if (col < N)
            C[row * N + col] = sum[c];
    }
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK * COARSE, BLOCK});
