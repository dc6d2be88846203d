// k6. The transposed product a = c * b^T, one element per thread; a is m x n, c is m x p, b is n x p, all
// column-major.
//
// Element (j, i) of a is the sum over k of c[j + pitch_c * k] times b[i + pitch_b * k]. As in k1.cu, threadIdx.x
// selects i, so a warp loads 32 contiguous elements of b and one common element of c. But i is now the column of a,
// so the 32 stores of a warp are a pitch apart: 32 sectors instead of 4.
//
// 2p FLOP for 2p + 1 accesses to global memory: 1 FLOP per access.
//
// -DTHREADS_X=64 and -DTHREADS_Y=4, for example, set the block's shape. No kernel of this lab checks bounds: n and m
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
