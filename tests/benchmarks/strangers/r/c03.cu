#include <lab.h>

#define ROWS_PER_THREAD 8

// coarsening along y, stride 1 (each thread owns 8 consecutive rows)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int top = (blockIdx.y * 8 + threadIdx.y) * ROWS_PER_THREAD;
  if (col >= N || top >= N) return;
  const int n = min(ROWS_PER_THREAD, N - top);

  if (n == ROWS_PER_THREAD) {
    float s[ROWS_PER_THREAD] = {0};
    for (int k = 0; k < N; ++k) {
      const float b = B[k * N + col];
#pragma unroll
      for (int i = 0; i < ROWS_PER_THREAD; ++i) s[i] += A[(top + i) * N + k] * b;
    }
#pragma unroll
    for (int i = 0; i < ROWS_PER_THREAD; ++i) C[(top + i) * N + col] = s[i];
  } else {
    for (int i = 0; i < n; ++i) {
      float s = 0;
      for (int k = 0; k < N; ++k) s += A[(top + i) * N + k] * B[k * N + col];
      C[(top + i) * N + col] = s;
    }
  }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8 * ROWS_PER_THREAD});
