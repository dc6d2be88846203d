// Attempt 4. Differs from attempt_3.cu in the four elements of a thread: they are in a row of a, not in a column.
//
// 8p FLOP for 4p accesses to b, p to c and 4 to a: 1.6 FLOP per access, as before. But the four elements of b are
// contiguous and the same for the whole warp: one sector, broadcast to all threads. The same number of accesses
// therefore moves fewer bytes.
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
    const int j = (blockIdx.y * THREADS_Y + threadIdx.y) * 4;

    float sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
    for (int k = 0; k < p; ++k) {
        const float rc = c[i + pitch_c * k];
        sum0 += b[j + pitch_b * k] * rc;
        sum1 += b[j + 1 + pitch_b * k] * rc;
        sum2 += b[j + 2 + pitch_b * k] * rc;
        sum3 += b[j + 3 + pitch_b * k] * rc;
    }
    a[i + pitch_a * j] = sum0;
    a[i + pitch_a * (j + 1)] = sum1;
    a[i + pitch_a * (j + 2)] = sum2;
    a[i + pitch_a * (j + 3)] = sum3;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {4 * THREADS_Y, THREADS_X}, .grid_x = ROWS);
