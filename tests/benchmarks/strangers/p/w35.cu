#include <lab.h>

constexpr int kTile = 16;

extern "C" __global__ void matmul(const float* __restrict__ A, const float* __restrict__ B,
                                  float* __restrict__ C, int N) {
  __shared__ float lhs[kTile * kTile];
  __shared__ float rhs[kTile * kTile];

  const int local = threadIdx.y * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int col = blockIdx.x * kTile + threadIdx.x;

  float dot = 0.0f;
  for (int step = 0; step < (N + kTile - 1) / kTile; ++step) {
    const int k_lhs = step * kTile + threadIdx.x;
    const int k_rhs = step * kTile + threadIdx.y;
    lhs[local] = (row < N && k_lhs < N) ? __ldg(A + row * N + k_lhs) : 0.0f;
    rhs[local] = (k_rhs < N && col < N) ? __ldg(B + k_rhs * N + col) : 0.0f;
    __syncwarp();
    for (int k = 0; k < kTile; ++k)
      dot += lhs[threadIdx.y * kTile + k] * rhs[k * kTile + threadIdx.x];
    __syncthreads();
  }

  if (row < N && col < N) {
    C[row * N + col] = dot;
  }
}

LAUNCH(.block = {kTile, kTile}, .tile = {kTile, kTile});
