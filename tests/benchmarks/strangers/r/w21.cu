#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  __shared__ float bufA[2][TILE][TILE];
  __shared__ float bufB[2][TILE][TILE];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int col = blockIdx.x * TILE + tx;
  int row = blockIdx.y * TILE + ty;
  int ntiles = (N + TILE - 1) / TILE;

  bufA[0][ty][tx] = (row < N && tx < N) ? A[row * N + tx] : 0.0f;
  bufB[0][ty][tx] = (ty < N && col < N) ? B[ty * N + col] : 0.0f;
  __syncthreads();

  float sum = 0.0f;
  for (int t = 0; t < ntiles; t++) {
    int now = t % 2;
    int next = 1 - now;
    if (t + 1 < ntiles) {
      int ka = (t + 1) * TILE + tx;
      int kb = (t + 1) * TILE + ty;
      bufA[next][ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
      bufB[next][ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
    }
    for (int k = 0; k < TILE; k++)
      sum += bufA[now][ty][k] * bufB[now][k][tx];
  }

  if (row < N && col < N)
    C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
