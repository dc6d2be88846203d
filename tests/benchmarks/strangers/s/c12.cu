#include <cuda_pipeline.h>
#include <lab.h>

// Three-stage cp.async pipeline, 4-byte copies so that every N works.

namespace {
constexpr int kT = 16;
constexpr int kStages = 3;
}  // namespace

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float sa[kStages][kT][kT];
  __shared__ float sb[kStages][kT][kT];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kT + ty, col = blockIdx.x * kT + tx;
  const int tiles = (N + kT - 1) / kT;

  auto issue = [&](int t) {
    if (t < tiles) {
      const int s = t % kStages, ka = t * kT + tx, kb = t * kT + ty;
      if (row < N && ka < N)
        __pipeline_memcpy_async(&sa[s][ty][tx], A + row * N + ka, 4);
      else
        sa[s][ty][tx] = 0.f;
      if (kb < N && col < N)
        __pipeline_memcpy_async(&sb[s][ty][tx], B + kb * N + col, 4);
      else
        sb[s][ty][tx] = 0.f;
    }
    __pipeline_commit();  // possibly empty: keeps the count
  };

  for (int t = 0; t < kStages - 1; ++t) issue(t);

  float acc = 0.f;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    issue(t + kStages - 1);

    const int s = t % kStages;
#pragma unroll
    for (int k = 0; k < kT; ++k) acc = fmaf(sa[s][ty][k], sb[s][k][tx], acc);
  }

  if (row < N && col < N) C[row * N + col] = acc;
}

LAUNCH(.block = {kT, kT}, .tile = {kT, kT});
