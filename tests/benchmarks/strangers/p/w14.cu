#include <lab.h>

__device__ __forceinline__ float warpSum(float x)
{
#pragma unroll
  for (int m = 16; m >= 1; m >>= 1)
    x += __shfl_xor_sync(0xffffffffu, x, m);
  return x;
}

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
  // 4 warps, each computes one row of a 2 x 4 piece of C
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  const int row = blockIdx.y * 4 + warp;
  const int col = blockIdx.x * 2;
  if (row >= N) return;
  const bool two = col + 1 < N;

  float p = 0.0f, q = 0.0f;
  for (int k = lane; k < N; k += 16)
  {
    const float a = A[row * N + k];
    p += a * B[k * N + col];
    if (two) q += a * B[k * N + col + 1];
  }
  p = warpSum(p);
  q = warpSum(q);
  if (lane == 0) {
    C[row * N + col] = p;
    if (two) C[row * N + col + 1] = q;
  }
}

LAUNCH(.block = {128}, .tile = {2, 4});
