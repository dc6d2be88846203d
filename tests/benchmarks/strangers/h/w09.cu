#include <lab.h>
#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  float acc = 0;

  for (int ph = 0; ph < (N + TILE - 1) / TILE; ph++) {
    if (row < N && ph * TILE + tx < N)
      As[ty][tx] = A[row * N + tx];
    else
      As[ty][tx] = 0;
    if (ph * TILE + ty < N && col < N)
      Bs[ty][tx] = B[(ph * TILE + ty) * N + col];
    else
      Bs[ty][tx] = 0;
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }

  if (row < N && col < N)
    C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE});
