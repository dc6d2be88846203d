#include <lab.h>

// naive + unroll by 4 by hand, it was 20% faster on my laptop
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  const int c = blockIdx.x * 32 + threadIdx.x;
  const int r = blockIdx.y * 8 + threadIdx.y;
  if (r >= N || c >= N) return;

  const float* a = A + r * N;
  const float* b = B + c;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  const int n4 = N & ~3;           // biggest multiple of 4 that fits
  for (int k = 0; k < n4; k += 4) {
    s0 += a[k]     * b[k * N];
    s1 += a[k + 1] * b[(k + 1) * N];
    s2 += a[k + 2] * b[(k + 2) * N];
    s3 += a[k + 3] * b[(k + 3) * N];
  }
  for (int k = n4 + 1; k < N; ++k)
    s0 += a[k] * b[k * N];
  C[r * N + c] = (s0 + s1) + (s2 + s3);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
