#include <lab.h>

#define MASK_OFF(n, w) ((n) & ~(w))

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
  const int i = blockIdx.y * 16 + threadIdx.y;
  const int j = blockIdx.x * 16 + threadIdx.x;

  if (i < N && j < N) {
    const int whole = MASK_OFF(N, 4);     // main part of the row, without a remainder
    float even = 0, odd = 0;

    int k = 0;
    for (; k < whole; k += 4) {
      even = fmaf(A[i * N + k + 0], B[(k + 0) * N + j], even);
      odd  = fmaf(A[i * N + k + 1], B[(k + 1) * N + j], odd);
      even = fmaf(A[i * N + k + 2], B[(k + 2) * N + j], even);
      odd  = fmaf(A[i * N + k + 3], B[(k + 3) * N + j], odd);
    }
    for (; k < N; ++k)
      even = fmaf(A[i * N + k], B[k * N + j], even);

    C[i * N + j] = even + odd;
  }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
