// expect: ok
// In the style of an online judge: extern "C" kernel and a solve() that launches it, no main.
#include "cuda_runtime.h"

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  int col = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
  if (col < N && row < N) {
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

// A, B, C are device pointers (i.e. pointers to memory on the GPU)
extern "C" void solve(const float* A, const float* B, float* C, int N) {
  dim3 threadsPerBlock(16, 16);
  dim3 blocksPerGrid((N + threadsPerBlock.x - 1) / threadsPerBlock.x, (N + threadsPerBlock.y - 1) / threadsPerBlock.y);
  matmul<<<blocksPerGrid, threadsPerBlock>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
