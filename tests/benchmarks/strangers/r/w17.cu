#include <lab.h>

// Stat 588, HW 4: crossproducts on the GPU
// R:  for (k in 1:n) s <- s + A[i, k] * B[k, j]

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  int j = threadIdx.x + blockDim.x * blockIdx.x;
  int i = threadIdx.y + blockDim.y * blockIdx.y;
  float s = 0;

  if (i < N) {
    if (j < N) {
      for (int k = 1; k < N; k++)
        s = s + A[i * N + k] * B[k * N + j];
      C[i * N + j] = s;
    }
  }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
