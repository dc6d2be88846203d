#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int ix = blockIdx.x*blockDim.x+threadIdx.x;
    int iy = blockIdx.y*blockDim.y+threadIdx.y;
    if(ix>=N) return;
    if(iy>=N) return;
    float acc=0.0f;
    for(int k=0;k<N;k++){
        float a=A[iy*N+k];
        float b=B[k*N+ix];
        acc = fmaf(a, acc, b);
    }
    C[iy*N+ix]=acc;
}

LAUNCH(.block={64,4},.tile={64,4});
