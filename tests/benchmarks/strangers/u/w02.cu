/* ported from matmul.f90 (DO CONCURRENT version) */
#include <lab.h>

#define I2(i, j, ld) ((i) * (ld) + (j))

extern "C" __global__
void matmul(const float *a, const float *b, float *c, int n)
{
      int i, j, k;
      float acc;

      i = blockIdx.y * 16 + threadIdx.y;
      j = blockIdx.x * 16 + threadIdx.x;

      if (i < n && j < n) {
        acc = 0.0f;
        for (k = 1; k < n; k++)
          acc = acc + a[I2(i, k, n)] * b[I2(k, j, n)];
        c[I2(i, j, n)] = acc;
      }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
