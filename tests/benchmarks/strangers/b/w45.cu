#include <lab.h>

#define TW 8

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N) {
  __shared__ float Asub[TW][TW], Bsub[TW][TW];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int Row = by * TW + ty;
  int Col = bx * TW + tx;
  float Pvalue = 0;
  for (int ph = 0; ph < (N - 1) / TW + 1; ++ph) {
    if (Row < N && ph * TW + tx < N) Asub[ty][tx] = A[Row * N + ph * TW + tx];
    else Asub[ty][tx] = 0.0;
    if (Col < N && ph * TW + ty < N) Bsub[ty][tx] = B[(ph * TW + ty) * N + Col];
    else Bsub[ty][tx] = 0.0;
    __syncthreads();
    for (int k = 0; k < TW; ++k) {
      Pvalue =+ Asub[ty][k] * Bsub[k][tx];
    }
    __syncthreads();
  }
  if (Row < N && Col < N) C[Row * N + Col] = Pvalue;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW});
