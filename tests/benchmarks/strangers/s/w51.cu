// Portierung: DO l = 1, N ... (Spaltenbloecke zu 4 je Thread)
#include <lab.h>

#define NJ 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  int i  = blockIdx.y * blockDim.y + threadIdx.y;
  int j0 = (blockIdx.x * blockDim.x + threadIdx.x) * NJ;
  float cc[NJ] = { 0.0f, 0.0f, 0.0f, 0.0f };

  if (i >= N || j0 >= N) return;
  int nj = (N - j0 < NJ) ? N - j0 : NJ;

  for (int l = 1; l < N; l++) {
     float ail = A[i * N + l];
     for (int j = 0; j < nj; j++)
        cc[j] += ail * B[l * N + j0 + j];
  }

  for (int j = 0; j < nj; j++)
     C[i * N + j0 + j] = cc[j];
}

LAUNCH(.block = {16, 16}, .tile = {16 * NJ, 16});
