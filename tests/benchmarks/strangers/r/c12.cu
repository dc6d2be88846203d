#include <lab.h>

#define TILE_COLS 64
#define TILE_ROWS 32
#define THREADS 128

// The threads stride over all elements of the tile.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  int t = threadIdx.x;
  for (int e = t; e < TILE_COLS * TILE_ROWS; e += THREADS) {
    int row = blockIdx.y * TILE_ROWS + e / TILE_COLS;
    int col = blockIdx.x * TILE_COLS + e % TILE_COLS;
    if (row >= N || col >= N) continue;
    float s0 = 0, s1 = 0;
    int k = 0;
    for (; k + 1 < N; k += 2) {
      s0 += A[row * N + k] * B[k * N + col];
      s1 += A[row * N + k + 1] * B[(k + 1) * N + col];
    }
    if (k < N) s0 += A[row * N + k] * B[k * N + col];
    C[row * N + col] = s0 + s1;
  }
}

LAUNCH(.block = {THREADS}, .tile = {TILE_COLS, TILE_ROWS});
