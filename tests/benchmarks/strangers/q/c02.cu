#include "lab.h"
#define T 16
// Kachelverfahren (Vorlesung 5)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  __shared__ float kachelA[T][T];
  __shared__ float kachelB[T][T];
  int zeile  = blockIdx.y * T + threadIdx.y;
  int spalte = blockIdx.x * T + threadIdx.x;
  float summe = 0.f;
  int anzahl = (N + T - 1) / T;
  for (int p = 0; p < anzahl; p++)
  {
    int ka = p * T + threadIdx.x;
    int kb = p * T + threadIdx.y;
    kachelA[threadIdx.y][threadIdx.x] = (zeile < N && ka < N) ? A[zeile * N + ka] : 0.f;
    kachelB[threadIdx.y][threadIdx.x] = (kb < N && spalte < N) ? B[kb * N + spalte] : 0.f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; i++)
      summe += kachelA[threadIdx.y][i] * kachelB[i][threadIdx.x];
    __syncthreads();
  }
  if (zeile < N && spalte < N)
    C[zeile * N + spalte] = summe;
}
LAUNCH(.block = {T, T}, .tile = {T, T});
