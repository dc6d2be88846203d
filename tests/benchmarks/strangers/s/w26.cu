// Kachelung wie im Skript Kap. 7, hier in CUDA statt Fortran+OpenACC
#include <lab.h>

#define NK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  __shared__ float ka[NK][NK], kb[NK][NK];
  int ii, jj, i, j, l, l0;
  float cij;

  ii = threadIdx.y;  jj = threadIdx.x;
  i  = ii + NK * blockIdx.y;
  j  = jj + NK * blockIdx.x;
  cij = 0.0f;

  for (l0 = 0; l0 < N; l0 += NK) {
     ka[ii][jj] = 0.0f;
     kb[ii][jj] = 0.0f;
     if (i < N && l0 + jj < N) ka[ii][jj] = A[i * N + l0 + jj];
     if (j < N) kb[ii][jj] = B[(l0 + ii) * N + j];
     __syncthreads();
     for (l = 0; l < NK; l++) cij += ka[ii][l] * kb[l][jj];
     __syncthreads();
  }
  if (i < N && j < N) C[i * N + j] = cij;
}

LAUNCH(.block = {NK, NK}, .tile = {NK, NK});
