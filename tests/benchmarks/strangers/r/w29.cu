#include <lab.h>

// CHEM 4400, project part 1
// overlap matrix S = A * B

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  // get my element
  int i = blockIdx.y * 16 + threadIdx.y;
  int j = blockIdx.x * 16 + threadIdx.x;
  float s = 0;

  // dot product of row i and column j
  for (int k = 0; k < N; k++) {
    s += A[i * N + k] * B[k * N + j];
  }
  C[i * N + j] = s;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
