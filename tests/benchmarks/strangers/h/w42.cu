#include <lab.h>

#define TILE_WIDTH 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  __shared__ float subTileA[TILE_WIDTH][TILE_WIDTH];
  __shared__ float subTileB[TILE_WIDTH][TILE_WIDTH];

  int tx = threadIdx.x; int ty = threadIdx.y;
  int Row = blockIdx.y * TILE_WIDTH + ty;
  int Col = blockIdx.x * TILE_WIDTH + tx;

  // nothing to do outside of C
  if (Row >= N || Col >= N)
    return;

  float Pvalue = 0;
  for (int m = 0; m < (N - 1) / TILE_WIDTH + 1; ++m) {
    if (m * TILE_WIDTH + tx < N)
      subTileA[ty][tx] = A[Row * N + m * TILE_WIDTH + tx];
    else
      subTileA[ty][tx] = 0;
    if (m * TILE_WIDTH + ty < N)
      subTileB[ty][tx] = B[(m * TILE_WIDTH + ty) * N + Col];
    else
      subTileB[ty][tx] = 0;
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k)
      Pvalue += subTileA[ty][k] * subTileB[k][tx];
    __syncthreads();
  }
  C[Row * N + Col] = Pvalue;
}

LAUNCH(.block = {TILE_WIDTH, TILE_WIDTH}, .tile = {TILE_WIDTH, TILE_WIDTH});
