// k2. What it adds over k1.cu: the column of c that all threads of a row of the block need is fetched once and shared.
//
// In steps of THREADS_X along k, each thread fetches one element of c into shared memory, and all use all of them.
//
// 2p flops for p accesses to b, p / 32 to c and one to a: 2 flops per access, twice k1. In k1 all threads of a warp
// ask for the same element of c, which is one request that the cache answers; so the gain may be far from twofold.
//
// With 32 threads the block is one warp. Where a warp moves in step it needs no barrier, and many an old kernel has
// none; since Volta the threads of a warp are scheduled independently, so there must be one.
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
    __shared__ float cb[THREADS_Y][THREADS_X];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = blockIdx.x * THREADS_X + tx;
    const int j = blockIdx.y * THREADS_Y + ty;

    float sum = 0.0f;
    for (int ks = 0; ks < p; ks += THREADS_X) {
        cb[ty][tx] = c[ks + tx + pitch_c * j];
        __syncthreads();  // cb is complete before anyone reads it
        for (int k = ks; k < ks + THREADS_X; ++k)
            sum += b[i + pitch_b * k] * cb[ty][k - ks];
        __syncthreads();  // everyone is done with cb before it is overwritten
    }
    a[i + pitch_a * j] = sum;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {THREADS_Y, THREADS_X}, .grid_x = ROWS);
