#include <lab.h>

// P = M * N
extern "C" __global__ void matmul(const float *M, const float *N, float *P, int Width)
{
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;

    if ((Row < Width) && (Col < Width)) {
        float Pvalue = 0;
        for (int k = 0; k < Width; ++k) {
            Pvalue += M[Row * Width + k] * N[Col * Width + k];
        }
        P[Row * Width + Col] = Pvalue;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
