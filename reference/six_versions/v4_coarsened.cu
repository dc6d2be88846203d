// V4. Coarsened. What it adds over v1_baseline.cu (there are no tiles here): a thread computes COARSE elements of a row
// of C.
//
// An element of A is loaded once and used COARSE times: with COARSE 4 there are 5 loads for 4 multiply-adds instead of
// 8, or 0.4 flop per byte. The 4 sums do not depend on each other, so 4 multiply-adds can be under way at once.
//
// Two things decide whether coarsening gains or loses. The elements of a thread lie BLOCK columns apart: were they side
// by side, then neighbouring threads would load B at a distance of COARSE, and a warp would touch COARSE times as many
// sectors. And the loop over k is outside: were it inside, the row of A would be read once for every element.
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
#pragma unroll  // sum[] can only live in registers when its indices are known to the compiler
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
