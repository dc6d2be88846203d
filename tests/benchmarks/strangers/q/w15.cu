#include <lab.h>
#define TILE 16
#define IDX(r, c, n) ((r) * (n) + (c))

// Tiled, two columns per thread
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  __shared__ float sa[TILE][TILE];
  __shared__ float sb[TILE][2 * TILE];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int r  = blockIdx.y * TILE + ty;
  const int c  = blockIdx.x * 2 * TILE + tx;
  float acc[2] = {0.f, 0.f};

  for (int k0 = 0; k0 < N; k0 += TILE) {
    sa[ty][tx]      = (r < N && k0 + tx < N) ? A[IDX(r, k0 + tx, N)] : 0.f;
    sb[ty][tx]      = (k0 + ty < N && c < N) ? B[IDX(k0 + ty, c, N)] : 0.f;
    sb[ty][tx + 16] = (k0 + ty < N && c + 16 < N) ? B[IDX(k0 + ty, c + 16, N)] : 0.f;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < TILE; ++k) {
      float a = sa[ty][k];
      acc[0] += a * sb[k][tx];
      acc[1] = a * sb[k][tx + 16];
    }
    __syncthreads();
  }

  if (r < N && c < N)      C[IDX(r, c, N)] = acc[0];
  if (r < N && c + 16 < N) C[IDX(r, c + 16, N)] = acc[1];
}

LAUNCH(.block = {TILE, TILE}, .tile = {2 * TILE, TILE});
