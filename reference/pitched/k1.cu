// k1. One thread computes one element of a = b * c (a is n x m) from global memory.
//
// Matrices are column-major: element (i, j) of a is a[i + pitch_a * j], and the pitch is larger than the column is
// long. threadIdx.x selects the row, so a warp loads 32 contiguous elements of b, and stores 32 contiguous elements
// of a; all its threads load the same element of c.
//
// 2p FLOP for 2p + 1 accesses to global memory: 1 FLOP per access.
//
// -DTHREADS_X=64 and -DTHREADS_Y=4, for example, set the block's shape. No kernel of this lab checks bounds: n must
// be a multiple of the rows of a tile, m of its columns, and p of THREADS_X, as at all sizes of the rubric.
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
        sum += b[i + pitch_b * k] * c[k + pitch_c * j];
    a[i + pitch_a * j] = sum;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {THREADS_Y, THREADS_X}, .grid_x = ROWS);
