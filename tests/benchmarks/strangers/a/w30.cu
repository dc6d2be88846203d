#include <lab.h>

#define TW 16

struct Pos {
  int row, col;
  __device__ bool inside(int n) const { return row < n && col < n; }
};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  __shared__ float a[TW][TW];
  __shared__ float b[TW][TW];

  const int x = threadIdx.x, y = threadIdx.y;
  Pos c = {int(blockIdx.y * TW + y), int(blockIdx.x * TW + x)};

  float sum = 0.0f;
  for (int k0 = 0; k0 < N; k0 += TW) {
    Pos pa = {c.row, k0 + x};
    Pos pb = {k0 + y, c.col};

    a[y][x] = 0.0f;
    b[y][x] = 0.0f;
    if (pa.inside(N))
      a[y][x] = A[pa.row * N + pa.col];
    if (pb.inside(N)) {
      b[y][x] = B[pb.row * N + pb.col];
      __syncthreads();
    }

    for (int k = 0; k < TW; ++k)
      sum += a[y][k] * b[k][x];
    __syncthreads();
  }

  if (c.inside(N))
    C[c.row * N + c.col] = sum;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW});
