#include <lab.h>

#define BS 16

__device__ void copy_tile(float as[BS][BS], float bs[BS][BS], const float *A, const float *B,
                          int row, int col, int k0, int N) {
  int x = threadIdx.x, y = threadIdx.y;
  as[y][x] = (row < N && k0 + x < N) ? A[row * N + k0 + x] : 0.0f;
  bs[y][x] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  __shared__ float As[2][BS][BS];
  __shared__ float Bs[2][BS][BS];
  int row = blockIdx.y * BS + threadIdx.y;
  int col = blockIdx.x * BS + threadIdx.x;
  int current = 0;
  float acc = 0.0f;

  for (int k0 = 0; k0 < N; k0 += BS) {
    int next = 1 - current;
    if (k0 + BS < N) {
      copy_tile(As[next], Bs[next], A, B, row, col, k0 + BS, N);
    }
    for (int k = 0; k < BS; k++) {
      acc += As[current][threadIdx.y][k] * Bs[current][k][threadIdx.x];
    }
    __syncthreads();
    current = next;
  }

  if (row < N && col < N) {
    C[row * N + col] = acc;
  }
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
