#include <lab.h>

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  // global thread ids
  int i = blockDim.y * blockIdx.y + threadIdx.y;
  int j = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= N || j >= N) return;

  float result = 0.0;
  for (int k = 0; k < N; k++) {
    result = A[i * N + k] * B[k * N + j];
  }
  C[i * N + j] = result;
}

LAUNCH(.block = {32, 32});
