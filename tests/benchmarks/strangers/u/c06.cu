#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int EDGE = 32;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  auto grp = cg::this_thread_block();
  __shared__ float lhs[EDGE * EDGE];
  __shared__ float rhs[EDGE * EDGE];

  const int u = threadIdx.x, v = threadIdx.y;
  const int col = blockIdx.x * EDGE + u;
  const int row = blockIdx.y * EDGE + v;
  const int pos = v * EDGE + u;

  float out = 0.f;
  int k0 = 0;
  while (k0 < N) {
    lhs[pos] = row < N && k0 + u < N ? A[row * N + (k0 + u)] : 0.f;
    rhs[pos] = col < N && k0 + v < N ? B[(k0 + v) * N + col] : 0.f;
    grp.sync();
    for (int q = 0; q != EDGE; ++q)
      out += lhs[v * EDGE + q] * rhs[q * EDGE + u];
    grp.sync();
    k0 += EDGE;
  }
  if (row < N && col < N) C[row * N + col] = out;
}

LAUNCH(.block = {EDGE, EDGE}, .tile = {EDGE, EDGE});
