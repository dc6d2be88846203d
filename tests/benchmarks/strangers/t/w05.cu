#include <lab.h>

#define T 16
#define AT(M, r, c) M[r * N + c]

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N) {
  __shared__ float a[T][T + 1], b[T][T + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * T + x;
  const int row = blockIdx.y * T + y;
  float s = 0.f;

  for (int k0 = 0; k0 < N; k0 += T) {
    a[y][x] = (row < N && k0 + x < N) ? AT(A, row, k0 + x) : 0.f;
    b[y][x] = (col < N && k0 + y < N) ? AT(B, k0 + y, col) : 0.f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < T; ++k) s = fmaf(a[y][k], b[k][x], s);
    __syncthreads();
  }
  if (row < N && col < N) AT(C, row, col) = s;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
