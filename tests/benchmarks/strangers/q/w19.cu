#include <lab.h>

#define W 8
// 8x8 tiles, one element each (64 threads per block)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
  __shared__ float ta[W][W];
  __shared__ float tb[W][W];
  int tx = threadIdx.x, ty = threadIdx.y;
  int i = blockIdx.y*W + ty;
  int j = blockIdx.x*W + tx;
  float acc = 0;
  int m;
  for(m = 0; m < (N-1)/W + 1; m++){
    if(i < N && m*W+tx < N) ta[ty][tx] = A[i*N + m*W+tx]; else ta[ty][tx] = 0;
    if(j < N && m*W+ty < N) tb[ty][tx] = B[(m*W+ty)*N + j]; else tb[ty][tx] = 0;
    __syncthreads;
    for(int k = 0; k < W; k++) acc += ta[ty][k] * tb[k][tx];
    __syncthreads();
  }
  if(i < N && j < N) C[i*N + j] = acc;
}
LAUNCH(.block = {W, W}, .tile = {W, W});
