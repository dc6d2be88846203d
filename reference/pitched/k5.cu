// k5. Combines k3.cu and k4.cu: a thread computes 2 x 2 elements, so each value that it reads is used for two
// products.
//
// 8p FLOP for 2p accesses to b, 2p / 32 to c and 4 to a: 4 FLOP per access, as in k4. But two reads from shared
// memory are enough for four products instead of two, and four independent sums keep twice as much arithmetic in
// flight.
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
    const int i = blockIdx.x * 2 * THREADS_X + tx;
    const int j = (blockIdx.y * THREADS_Y + ty) * 2;

    float sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
    for (int ks = 0; ks < p; ks += THREADS_X) {
        cb0[ty][tx] = c[ks + tx + pitch_c * j];
        cb1[ty][tx] = c[ks + tx + pitch_c * (j + 1)];
        __syncthreads();
        for (int k = ks; k < ks + THREADS_X; ++k) {
            const float rb0 = b[i + pitch_b * k];
            const float rb1 = b[i + THREADS_X + pitch_b * k];
            sum0 += rb0 * cb0[ty][k - ks];
            sum1 += rb0 * cb1[ty][k - ks];
            sum2 += rb1 * cb0[ty][k - ks];
            sum3 += rb1 * cb1[ty][k - ks];
        }
        __syncthreads();
    }
    a[i + pitch_a * j] = sum0;
    a[i + pitch_a * (j + 1)] = sum1;
    a[i + THREADS_X + pitch_a * j] = sum2;
    a[i + THREADS_X + pitch_a * (j + 1)] = sum3;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {2 * THREADS_Y, 2 * THREADS_X}, .grid_x = ROWS);
