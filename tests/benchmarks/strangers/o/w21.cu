#include <lab.h>
#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];

  int x = threadIdx.x;
  int y = threadIdx.y;
  int i = blockIdx.y * TILE + y;
  int j = blockIdx.x * TILE + x;

  float c = 0.0;
  for (int m = 0; m < (N + TILE - 1) / TILE; m++) {
    if (i < N && m * TILE + x < N)
      tile_a[y][x] = A[i * N + m * TILE + x];
    else
      tile_a[y][x] = 0.0;

    if (m * TILE + y < N && j < N)
      tile_b[y][x] = B[(m * TILE + y) * N + j];
    else
      tile_b[y][x] = 0.0;

    __syncthreads();

    for (int k = 0; k < TILE; k++) {
      c += tile_a[y][k] * tile_b[k][x];
    }
  }

  if (i < N && j < N) {
    C[i * N + j] = c;
  }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
