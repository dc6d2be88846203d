#include <lab.h>
#define TS 16

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float Asub[TS][TS];
  __shared__ float Bsub[TS][TS];

  const int c = threadIdx.x, r = threadIdx.y;
  const int globalCol = TS * blockIdx.x + c;
  const int globalRow = TS * blockIdx.y + r;
  float acc = 0.0f;

  const int numTiles = N / TS;
  for (int t = 0; t < numTiles; t++) {
    const int tiledCol = TS * t + c;
    const int tiledRow = TS * t + r;
    Asub[r][c] = (globalRow < N && tiledCol < N) ? A[globalRow * N + tiledCol] : 0.0f;
    Bsub[r][c] = (tiledRow < N && globalCol < N) ? B[tiledRow * N + globalCol] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TS; k++)
      acc += Asub[r][k] * Bsub[k][c];
    __syncthreads();
  }
  if (globalRow < N && globalCol < N)
    C[globalRow * N + globalCol] = acc;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
