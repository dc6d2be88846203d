#include <lab.h>

// Hausaufgabe 1
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N){
  int row=blockIdx.y*blockDim.y+threadIdx.y;
  int col=blockIdx.x*blockDim.x+threadIdx.x;
  float res=0;
  if(row<N||col<N){
    for(int i=0;i<N;i++){
      res+=A[row*N+i]*B[i*N+col];
    }
    C[row*N+col]=res;
  }
}
LAUNCH(.block={16,16},.tile={16,16});
