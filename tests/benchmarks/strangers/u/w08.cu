#include <lab.h>

// register blocking: 64 x 32 outputs per block, 4 x 2 per thread
#define BM 64
#define BN 32
#define BK 8
#define RM 4
#define RN 2

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  __shared__ float a_s[BK][BM];
  __shared__ float b_s[BK][BN];
  float acc[RM][RN] = {};
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tid = ty * 16 + tx;

  for (int k0 = 0; k0 < N; k0 += BK) {
    for (int e = tid; e < BM * BK; e += 256) {
      int m = e / BK, k = e % BK;
      int gr = blockIdx.y * BM + m;
      a_s[k][m] = (gr < N && k0 + k < N) ? A[gr * N + k0 + k] : 0.f;
    }
    for (int e = tid; e < BK * BN; e += 256) {
      int k = e / BN, n = e % BN;
      int gc = blockIdx.x * BN + n;
      b_s[k][n] = (k0 + k < N && gc < N) ? B[(k0 + k) * N + gc] : 0.f;
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < RM; ++i)
        for (int j = 0; j < RN; ++j)
          acc[i][j] += a_s[k][ty * RM + i] * b_s[k][tx * RN + j];
    __syncthreads();
  }

  for (int i = 0; i < RM; ++i) {
    int r = blockIdx.y * BM + ty + i * 16;
    for (int j = 0; j < RN; ++j) {
      int c = blockIdx.x * BN + tx * RN + j;
      if (r < N && c < N) C[r * N + c] = acc[i][j];
    }
  }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
