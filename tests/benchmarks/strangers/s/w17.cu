#include <cuda_pipeline.h>
#include <lab.h>

// GEMM with async copies to shared memory (Ampere and later).
// Two stages, 32x32 tiles, 32x8 threads, four outputs per thread.

namespace {

constexpr int kT = 32;
constexpr int kRows = 8;
constexpr int kPer = kT / kRows;

__device__ __forceinline__ void stage(float (*dst)[kT], const float* __restrict__ src,
                                      int r0, int c0, int n) {
  for (int i = 0; i < kPer; ++i) {
    const int lr = threadIdx.y + i * kRows;
    const int r = r0 + lr;
    const int c = c0 + threadIdx.x;
    if (r < n && c < n)
      __pipeline_memcpy_async(&dst[lr][threadIdx.x], &src[r * n + c], sizeof(float));
    else
      dst[lr][threadIdx.x] = 0.f;
  }
}

}  // namespace

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float sa[2][kT][kT];
  __shared__ float sb[2][kT][kT];

  const int r0 = blockIdx.y * kT;
  const int c0 = blockIdx.x * kT;
  const int tiles = (N + kT - 1) / kT;
  float acc[kPer] = {};

  stage(sa[0], A, r0, 0, N);
  stage(sb[0], B, 0, c0, N);
  __pipeline_commit();

  for (int t = 0; t < tiles; ++t) {
    const int cur = t & 1;
    if (t + 1 < tiles) {
      stage(sa[cur ^ 1], A, r0, (t + 1) * kT, N);
      stage(sb[cur ^ 1], B, (t + 1) * kT, c0, N);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);  // everything but the newest batch

    for (int k = 0; k < kT; ++k) {
      const float b = sb[cur][k][threadIdx.x];
      for (int i = 0; i < kPer; ++i)
        acc[i] += sa[cur][threadIdx.y + i * kRows][k] * b;
    }
    __syncthreads();
  }

  const int c = c0 + threadIdx.x;
  for (int i = 0; i < kPer; ++i) {
    const int r = r0 + threadIdx.y + i * kRows;
    if (r < N && c < N) C[r * N + c] = acc[i];
  }
}

LAUNCH(.block = {kT, kRows}, .tile = {kT, kT});
