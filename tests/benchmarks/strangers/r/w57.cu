#include <lab.h>
#define K 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
   __shared__ float As[K][K];
   __shared__ float Bs[K][K];
   int tx = threadIdx.x, ty = threadIdx.y;
   int i = blockIdx.y * K + ty;
   int j = blockIdx.x * K + tx;
   float sum = 0.0f;

   for (int t = 0; t * K < N; ++t) {
      if (t * K + tx >= N) break;      // nothing left to load
      As[ty][tx] = i < N ? A[i * N + t * K + tx] : 0.0f;
      Bs[ty][tx] = (j < N && t * K + ty < N) ? B[(t * K + ty) * N + j] : 0.0f;
      __syncthreads();
      for (int k = 0; k < K && t * K + k < N; ++k)
         sum += As[ty][k] * Bs[k][tx];
      __syncthreads();
   }

   if (i < N && j < N)
      C[i * N + j] = sum;
}

LAUNCH(.block = {K, K}, .tile = {K, K});
