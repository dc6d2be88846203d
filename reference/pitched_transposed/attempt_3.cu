// Attempt 3. Differs from attempt_1.cu in the mapping of threads: threadIdx.x selects the row of a, not the column.
//
// Now i is a row of a and of c, and j is a column of a and a row of b. The loads of c by a warp are contiguous, and
// so, for the first time, are its stores to a. A thread computes four elements in a column of a, THREADS_X rows
// apart.
//
// 8p FLOP for p accesses to b, 4p to c and 4 to a: 1.6 FLOP per access, fewer than attempt 2. The stores are only 4
// of 5p + 4 accesses; which of the two attempts is faster depends on the shape of the block.
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
    const int j = blockIdx.y * THREADS_Y + threadIdx.y;

    float sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
    for (int k = 0; k < p; ++k) {
        const float rb = b[j + pitch_b * k];
        sum0 += rb * c[i + pitch_c * k];
        sum1 += rb * c[i + THREADS_X + pitch_c * k];
        sum2 += rb * c[i + 2 * THREADS_X + pitch_c * k];
        sum3 += rb * c[i + 3 * THREADS_X + pitch_c * k];
    }
    a[i + pitch_a * j] = sum0;
    a[i + THREADS_X + pitch_a * j] = sum1;
    a[i + 2 * THREADS_X + pitch_a * j] = sum2;
    a[i + 3 * THREADS_X + pitch_a * j] = sum3;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {THREADS_Y, 4 * THREADS_X}, .grid_x = ROWS);
