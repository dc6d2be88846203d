// Attempt 5. Combines attempt_3.cu and attempt_4.cu: eight sums per thread, four rows times two columns of a.
//
// Each element of c is used for two products and each element of b for four: 16p FLOP for 2p accesses to b, 4p to c
// and 8 to a. That is 2.7 FLOP per access, the most in this part of the lab.
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
    const int i = blockIdx.x * 4 * THREADS_X + threadIdx.x;
    const int j = (blockIdx.y * THREADS_Y + threadIdx.y) * 2;

    float sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
    float sum4 = 0.0f, sum5 = 0.0f, sum6 = 0.0f, sum7 = 0.0f;
    for (int k = 0; k < p; ++k) {
        const float rb0 = b[j + pitch_b * k];
        const float rb1 = b[j + 1 + pitch_b * k];
        const float rc0 = c[i + pitch_c * k];
        const float rc1 = c[i + THREADS_X + pitch_c * k];
        const float rc2 = c[i + 2 * THREADS_X + pitch_c * k];
        const float rc3 = c[i + 3 * THREADS_X + pitch_c * k];
        sum0 += rb0 * rc0;
        sum1 += rb0 * rc1;
        sum2 += rb0 * rc2;
        sum3 += rb0 * rc3;
        sum4 += rb1 * rc0;
        sum5 += rb1 * rc1;
        sum6 += rb1 * rc2;
        sum7 += rb1 * rc3;
    }
    a[i + pitch_a * j] = sum0;
    a[i + THREADS_X + pitch_a * j] = sum1;
    a[i + 2 * THREADS_X + pitch_a * j] = sum2;
    a[i + 3 * THREADS_X + pitch_a * j] = sum3;
    a[i + pitch_a * (j + 1)] = sum4;
    a[i + THREADS_X + pitch_a * (j + 1)] = sum5;
    a[i + 2 * THREADS_X + pitch_a * (j + 1)] = sum6;
    a[i + 3 * THREADS_X + pitch_a * (j + 1)] = sum7;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {2 * THREADS_Y, 4 * THREADS_X}, .grid_x = ROWS);
