#include <lab.h>

static const int TS = 16;

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float a_s[TS][TS], b_s[TS][TS];
  int tx = threadIdx.x, ty = threadIdx.y;
  int gx = TS * blockIdx.x + tx, gy = TS * blockIdx.y + ty;
  int numTiles = (N - 1) / TS + 1;

  float dot = 0.f;
  for (int t = 0; t < numTiles; t++) {
    int aCol = t * TS + tx;
    int bRow = t + ty;
    a_s[ty][tx] = gy < N && aCol < N ? A[gy * N + aCol] : 0.f;
    b_s[ty][tx] = bRow < N && gx < N ? B[bRow * N + gx] : 0.f;
    __syncthreads();
    for (int k = 0; k < TS; k++) dot += a_s[ty][k] * b_s[k][tx];
    __syncthreads();
  }
  if (gx < N && gy < N) C[gy * N + gx] = dot;
}
LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
