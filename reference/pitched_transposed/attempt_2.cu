// Attempt 2. Differs from attempt_1.cu in the four elements of a thread: 2 x 2 instead of four in a column.
//
// Two elements of b and two of c give four products: 8p FLOP for 2p accesses to b, 2p to c and 4 to a, which is
// 2 FLOP per access instead of 1.6. The stores are still scattered.
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
    const int i = blockIdx.x * 2 * THREADS_X + threadIdx.x;
    const int j = (blockIdx.y * THREADS_Y + threadIdx.y) * 2;

    float sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
    for (int k = 0; k < p; ++k) {
        const float rb0 = b[i + pitch_b * k];
        const float rb1 = b[i + THREADS_X + pitch_b * k];
        const float rc0 = c[j + pitch_c * k];
        const float rc1 = c[j + 1 + pitch_c * k];
        sum0 += rb0 * rc0;
        sum1 += rb1 * rc0;
        sum2 += rb0 * rc1;
        sum3 += rb1 * rc1;
    }
    a[j + pitch_a * i] = sum0;
    a[j + pitch_a * (i + THREADS_X)] = sum1;
    a[j + 1 + pitch_a * i] = sum2;
    a[j + 1 + pitch_a * (i + THREADS_X)] = sum3;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {2 * THREADS_X, 2 * THREADS_Y});
