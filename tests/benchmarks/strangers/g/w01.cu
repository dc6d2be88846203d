#include <lab.h>

#define TS 16

typedef unsigned short idx_t;   // fewer registers => more occupancy

extern "C" __global__ void matmul(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int N) {
  __shared__ float tA[TS][TS];
  __shared__ float tB[TS][TS];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TS + ty;
  const int col = blockIdx.x * TS + tx;

  float acc = 0.f;
  for (int base = 0; base < N; base += TS) {
    const idx_t offA = row * N + base + tx;
    const idx_t offB = (base + ty) * N + col;
    tA[ty][tx] = (row < N && base + tx < N) ? A[offA] : 0.f;
    tB[ty][tx] = (col < N && base + ty < N) ? B[offB] : 0.f;
    __syncthreads();

    #pragma unroll
    for (int k = 0; k < TS; ++k)
      acc += tA[ty][k] * tB[k][tx];
    __syncthreads();
  }

  if (row < N && col < N)
    C[(size_t)row * N + col] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
