#include <lab.h>

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float As[32][33];
  __shared__ float Bs[32][33];

  int row = blockIdx.y * 32 + threadIdx.y;
  int col = blockIdx.x * 32 + threadIdx.x;
  float tmp = 0.0f;

  for (int p = 0; p <= (N - 1) / 32; p++) {
    if (row < N)
      As[threadIdx.y][threadIdx.x] = A[row * N + p * 32 + threadIdx.x];
    else
      As[threadIdx.y][threadIdx.x] = 0.0f;
    if (col < N && p * 32 + threadIdx.y < N)
      Bs[threadIdx.y][threadIdx.x] = B[(p * 32 + threadIdx.y) * N + col];
    else
      Bs[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    for (int k = 0; k < 32; k++) {
      tmp += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    }
    __syncthreads();
  }

  if (row < N && col < N) {
    C[row * N + col] = tmp;
  }
}

LAUNCH(.block = {32, 32});
