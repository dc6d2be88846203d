// k6. The transposed part: a = c * b^T, with a m x n, c m x p and b n x p, all in columns. One thread, one element.
//
// The sum runs along the rows of both factors: element (j, i) of a is the sum over k of c[j + pitch_c * k] times
// b[i + pitch_b * k]. It is k1.cu with i and j in the same places, so threadIdx.x still runs down b. But it now runs
// along a row of a, and the 32 stores of a warp lie a pitch apart: 32 sectors instead of 4.
//
// 2p flops for 2p + 1 accesses to global memory: 1 flop per access.
//
// -DTHREADS_X=64 -DTHREADS_Y=4 and the like choose the block's shape. No kernel of this lab guards an edge: n and m
// must be multiples of what a block computes, as at all sizes of the rubric.
#include <lab.h>

#ifndef THREADS_X
#define THREADS_X 32
#endif
#ifndef THREADS_Y
#define THREADS_Y 1
#endif

extern "C" __global__ void mmkernel(float *a, const float *b, const float *c, int pitch_a, int pitch_b, int pitch_c,
                                    int n, int m, int p)
{
    const int i = blockIdx.x * THREADS_X + threadIdx.x;
    const int j = blockIdx.y * THREADS_Y + threadIdx.y;

    float sum = 0.0f;
    for (int k = 0; k < p; ++k)
        sum += b[i + pitch_b * k] * c[j + pitch_c * k];
    a[j + pitch_a * i] = sum;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {THREADS_X, THREADS_Y});
