#include "lab.h"
constexpr int T = 32;

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float sa[T][T + 1], sb[T][T + 1];
  int i = T * blockIdx.y + threadIdx.y;
  int j = T * blockIdx.x + threadIdx.x;
  float r = 0.f;

  for (int base = 0; base < N; base += T) {
    int ka = base + threadIdx.x;
    int kb = base + threadIdx.y;

    // load, zero outside
    if (i < N && j < N && ka < N)
      sa[threadIdx.y][threadIdx.x] = A[i * N + ka];
    else
      sa[threadIdx.y][threadIdx.x] = 0.f;

    if (kb < N && j < N)
      sb[threadIdx.y][threadIdx.x] = B[kb * N + j];
    else
      sb[threadIdx.y][threadIdx.x] = 0.f;
    __syncthreads();

#pragma unroll
    for (int q = 0; q < T; ++q) r += sa[threadIdx.y][q] * sb[q][threadIdx.x];
    __syncthreads();
  }

  if (i < N && j < N) C[i * N + j] = r;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
