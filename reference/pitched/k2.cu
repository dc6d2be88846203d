// k2. Adds shared memory for c to k1.cu: the threads in a row of the block need the same column of c and load it
// once.
//
// In steps of THREADS_X along k, each thread loads one element of c into shared memory; then all threads use all of
// them.
//
// 2p FLOP for p accesses to b, p / 32 to c and one to a: 2 FLOP per access, twice as many as k1. The gain can be much
// less than twofold: in k1, the loads of c by a warp have one address, and are one request that a cache usually
// answers.
//
// A block of 32 threads is one warp. Before Volta, the threads of a warp ran in lockstep, and many old kernels
// therefore have no barrier here. Since Volta, threads are scheduled independently, so the barriers are needed.
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
        __syncthreads();  // no thread reads cb before it is complete
        for (int k = ks; k < ks + THREADS_X; ++k)
            sum += b[i + pitch_b * k] * cb[ty][k - ks];
        __syncthreads();  // no thread overwrites cb before all have read it
    }
    a[i + pitch_a * j] = sum;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {THREADS_Y, THREADS_X}, .grid_x = ROWS);
