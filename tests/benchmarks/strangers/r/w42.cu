#include <lab.h>

#define TS 16

extern "C" __global__
void matmul(const float *A, const float *B, float *C, int N)
{
   // half as many threads as elements in the tile: two rows per thread
   __shared__ float sA[TS][TS];
   __shared__ float sB[TS][TS];
   int tx = threadIdx.x, ty = threadIdx.y;
   int x = blockIdx.x * TS + tx;
   int y = blockIdx.y * TS + ty;
   float lo = 0, hi = 0;

   for (int k0 = 0; k0 < N; k0 += TS) {
      sA[ty][tx]     = (y < N     && k0 + tx < N) ? A[y * N + k0 + tx] : 0;
      sA[ty + 8][tx] = (y + 8 < N && k0 + tx < N) ? A[(y + 8) * N + k0 + tx] : 0;
      sB[ty][tx]     = (k0 + ty < N && x < N) ? B[(k0 + ty) * N + x] : 0;
      __syncthreads();
      for (int k = 0; k < TS; k++) {
         lo += sA[ty][k] * sB[k][tx];
         hi += sA[ty + 8][k] * sB[k][tx];
      }
      __syncthreads();
   }

   if (x < N) {
      if (y < N)     C[y * N + x] = lo;
      if (y + 8 < N) C[(y + 8) * N + x] = hi;
   }
}

LAUNCH(.block = {16, 8}, .tile = {TS, TS});
