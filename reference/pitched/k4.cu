// k4. Differs from k3.cu in the two elements of a thread: they are in a row of a, in neighbouring columns.
//
// Each element of b, loaded from global memory, is now used for both products: 4p FLOP for p accesses to b, 2p / 32
// to c and 2 to a. That is 4 FLOP per access, twice as many as k2 and k3.
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
    __shared__ float cb0[THREADS_Y][THREADS_X], cb1[THREADS_Y][THREADS_X];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = blockIdx.x * THREADS_X + tx;
    const int j = (blockIdx.y * THREADS_Y + ty) * 2;

    float sum0 = 0.0f, sum1 = 0.0f;
    for (int ks = 0; ks < p; ks += THREADS_X) {
        cb0[ty][tx] = c[ks + tx + pitch_c * j];
        cb1[ty][tx] = c[ks + tx + pitch_c * (j + 1)];
        __syncthreads();
        for (int k = ks; k < ks + THREADS_X; ++k) {
            const float rb = b[i + pitch_b * k];
            sum0 += rb * cb0[ty][k - ks];
            sum1 += rb * cb1[ty][k - ks];
        }
        __syncthreads();
    }
    a[i + pitch_a * j] = sum0;
    a[i + pitch_a * (j + 1)] = sum1;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {2 * THREADS_Y, THREADS_X}, .grid_x = ROWS);
