// k3. Extends k2.cu to two elements per thread, in the same column of a, THREADS_X rows apart.
//
// 4p FLOP for 2p accesses to b, p / 32 to c and 2 to a: 2 FLOP per access, as in k2. The gain is elsewhere: each
// element read from shared memory is used for two products, the loop's own instructions serve two products, and two
// loads of b can be in flight at a time.
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
    const int i = blockIdx.x * 2 * THREADS_X + tx;
    const int j = blockIdx.y * THREADS_Y + ty;

    float sum0 = 0.0f, sum1 = 0.0f;
    for (int ks = 0; ks < p; ks += THREADS_X) {
        cb[ty][tx] = c[ks + tx + pitch_c * j];
        __syncthreads();
        for (int k = ks; k < ks + THREADS_X; ++k) {
            sum0 += b[i + pitch_b * k] * cb[ty][k - ks];
            sum1 += b[i + THREADS_X + pitch_b * k] * cb[ty][k - ks];
        }
        __syncthreads();
    }
    a[i + pitch_a * j] = sum0;
    a[i + THREADS_X + pitch_a * j] = sum1;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {THREADS_Y, 2 * THREADS_X}, .grid_x = ROWS);
