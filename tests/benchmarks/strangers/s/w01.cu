// Portierung der Matrixroutine aus unserem Photometrie-Paket (f90 -> CUDA)
#include <lab.h>

// wie A(i,j) in Fortran, nur ab 0 gezaehlt und zeilenweise
#define IDX(i, j, ld) ((i) * (ld) + (j))

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  float summe;

  if (i < N && j < N) {
     summe = 0.0f;
     for (int l = 0; l < N; l++) {
        summe = summe + A[IDX(i, l, N)] * B[IDX(j, l, N)];
     }
     C[IDX(i, j, N)] = summe;
  }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
