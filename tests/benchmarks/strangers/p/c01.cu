#include <lab.h>

constexpr int T = 32;      // tile
constexpr int RY = 8;      // thread rows
constexpr int PER = T / RY;

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float at[T][T + 1];   // A transposed: at[k][row], padded against bank conflicts
  __shared__ float bt[T][T];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r0 = blockIdx.y * T, c0 = blockIdx.x * T;
  float acc[PER];
  for (int p = 0; p < PER; ++p) acc[p] = 0.0f;

  for (int k0 = 0; k0 < N; k0 += T) {
    for (int p = 0; p < PER; ++p) {
      const int y = ty + p * RY;
      at[tx][y] = (r0 + y < N && k0 + tx < N) ? A[(r0 + y) * N + k0 + tx] : 0.0f;
      bt[y][tx] = (k0 + y < N && c0 + tx < N) ? B[(k0 + y) * N + c0 + tx] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      const float b = bt[k][tx];
      for (int p = 0; p < PER; ++p) acc[p] += at[k][ty + p * RY] * b;
    }
    __syncthreads();
  }

  for (int p = 0; p < PER; ++p) {
    const int r = r0 + ty + p * RY;
    if (r < N && c0 + tx < N) C[r * N + c0 + tx] = acc[p];
  }
}

LAUNCH(.block = {T, RY}, .tile = {T, T});
