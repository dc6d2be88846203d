#include <lab.h>

#define EDGE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  __shared__ float aa[EDGE][EDGE];
  __shared__ float bb[EDGE][EDGE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * EDGE + ty;
  const int col = blockIdx.x * EDGE + tx;
  float sum = 0;

  for (int m = 0; m < (N + EDGE - 1) / EDGE; m++)
  {
    // every thread helps to load, with zeros beyond the border
    const int ka = m * EDGE + tx, kb = m * EDGE + ty;
    aa[ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0;
    bb[ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0;

    // only threads with an element of C compute
    if (row < N && col < N)
    {
      __syncthreads();
      for (int k = 0; k < EDGE; k++)
        sum += aa[ty][k] * bb[k][tx];
      __syncthreads();
    }
  }

  if (row < N && col < N)
    C[row * N + col] = sum;
}

LAUNCH(.block = {EDGE, EDGE}, .tile = {EDGE, EDGE});
