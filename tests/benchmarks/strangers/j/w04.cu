#include "lab.h"

/* Simple version: thread (j, i) computes C[i][j]. */
extern "C" __global__
void matmul(const float *A, const float *B, float *C, int N)
{
  int j = threadIdx.x + blockIdx.x * blockDim.x;
  int i = threadIdx.y + blockIdx.y * blockDim.y;

  if (i < N || j < N)
  {
    float s = 0.f;
    for (int k = 0; k < N; k++)
      s = s + A[i*N + k] * B[k*N + j];
    C[i*N + j] = s;
  }
}

LAUNCH(.block = {32, 8});
