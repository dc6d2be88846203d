// Attempt 1. Extends k6.cu to four elements per thread, contiguous in a column of a.
//
// Each element of b is used for four products: 8p FLOP for p accesses to b, 4p to c and 4 to a, 1.6 FLOP per access.
// The four elements of c are contiguous, so they are in one sector. The stores are as scattered as in k6.
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
        const float rb = b[i + pitch_b * k];
        sum0 += rb * c[j + pitch_c * k];
        sum1 += rb * c[j + 1 + pitch_c * k];
        sum2 += rb * c[j + 2 + pitch_c * k];
        sum3 += rb * c[j + 3 + pitch_c * k];
    }
    a[j + pitch_a * i] = sum0;
    a[j + 1 + pitch_a * i] = sum1;
    a[j + 2 + pitch_a * i] = sum2;
    a[j + 3 + pitch_a * i] = sum3;
}

LAUNCH(.block = {THREADS_X, THREADS_Y}, .tile = {THREADS_X, 4 * THREADS_Y});
