#include <lab.h>
#define TILE_DIM 16

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float sA[TILE_DIM][TILE_DIM + 1];
  __shared__ float sB[TILE_DIM][TILE_DIM + 1];  // +1 against bank conflicts

  int row = blockIdx.y * TILE_DIM + threadIdx.y;
  int col = blockIdx.x * TILE_DIM + threadIdx.x;
  float value = 0.0f;

  for (int m = 0; m < N; m += TILE_DIM) {
    sA[threadIdx.y][threadIdx.x] = (row < N && m + threadIdx.x < N) ? A[row * N + m + threadIdx.x] : 0.0f;
    sB[threadIdx.x][threadIdx.y] = (col < N && m + threadIdx.y < N) ? B[(m + threadIdx.y) * N + col] : 0.0f;
    __syncthreads();

    for (int e = 0; e < TILE_DIM; ++e)
      value += sA[threadIdx.y][e] * sB[e][threadIdx.x];
    __syncthreads();
  }

  if (row < N && col < N) C[row * N + col] = value;
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM});
