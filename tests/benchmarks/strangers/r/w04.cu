#include <lab.h>
const int W = 32;
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  __shared__ float As[W][W];
  __shared__ float Bs[W][W];
  int tx = threadIdx.x; int ty = threadIdx.y;
  int x = blockIdx.x * W + tx;
  int y = blockIdx.y * W + ty;
  float Pvalue = 0;

  for (int m = 0; m < (N + W - 1) / W; ++m) {
    // stay inside the matrices
    if (y < N && x < N && m * W + tx < N)
      As[ty][tx] = A[y * N + m * W + tx];
    else
      As[ty][tx] = 0;
    if (x < N && m * W + ty < N)
      Bs[ty][tx] = B[(m * W + ty) * N + x];
    else
      Bs[ty][tx] = 0;
    __syncthreads();

    for (int k = 0; k < W; ++k) Pvalue += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (y < N && x < N) C[y * N + x] = Pvalue;
}
LAUNCH(.block = {W, W}, .tile = {W, W});
