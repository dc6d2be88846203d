#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y

  if (x < N && y < N) {
    float res = 0.0f;
    for (int z = 0; z < N; z++) {
      res += A[y * N + z] * B[z * N + x];
    }
    C[y * N + x] = res;
  }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
