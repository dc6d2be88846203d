#include <lab.h>

#define DIM 32
#define STEP 8      // rows of threads in a block
#define PER 4       // elements of C per thread

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
  __shared__ float sa[DIM][DIM], sb[DIM][DIM];
  int tx = threadIdx.x, ty = threadIdx.y;
  int bx = blockIdx.x * DIM, by = blockIdx.y * DIM;
  float res[PER] = {0.f, 0.f, 0.f, 0.f};

  for (int p = 0; p < N; p += DIM) {
    for (int i = 0; i < PER; i++) {
      int l = ty + i * STEP;
      sa[l][tx] = (by + l < N && p + tx < N) ? A[(by + l) * N + p + tx] : 0.f;
      sb[l][tx] = (p + l < N && bx + tx < N) ? B[(p + l) * N + bx + tx] : 0.f;
    }
    __syncthreads();
    for (int k = 0; k < DIM; k++) {
      float b = sb[k][tx];
      for (int i = 0; i < PER; i++)
        res[i] += sa[ty + i * STEP][k] * b;
    }
    __syncthreads();
  }

  for (int i = 0; i < PER; i++) {
    int r = by + ty + i * PER;
    if (r < N && bx + tx < N)
      C[r * N + bx + tx] = res[i];
  }
}

LAUNCH(.block = {DIM, STEP}, .tile = {DIM, DIM});
