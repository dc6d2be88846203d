#include <lab.h>

#define TS 16

// Double buffering: one barrier per tile
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  __shared__ float a[2][TS][TS];
  __shared__ float b[2][TS][TS];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * TS + ty;
  const int c = blockIdx.x * TS + tx;

  // tile 0
  a[0][ty][tx] = (r < N && tx < N) ? A[r * N + tx] : 0.0f;
  b[0][ty][tx] = (ty < N && c < N) ? B[ty * N + c] : 0.0f;
  __syncthreads();

  float sum = 0.0f;
  int cur = 0;
  for (int k0 = 0; k0 < N; k0 += TS) {
    const int kn = k0 + TS;
    float nextA = 0.0f, nextB = 0.0f;
    if (r < N && kn + tx < N) nextA = A[r * N + kn + tx];
    if (kn + ty < N && c < N) nextB = B[(kn + ty) * N + c];

    for (int k = 0; k < TS; ++k) sum += a[cur][ty][k] * b[cur][k][tx];

    cur = 1 - cur;
    a[cur][ty][tx] = nextA;
    b[cur][ty][tx] = nextB;
    __syncthreads();
  }

  if (r < N && c < N) C[r * N + c] = sum;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
