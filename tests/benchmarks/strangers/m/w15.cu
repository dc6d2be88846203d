#include <lab.h>
#define TW 16

extern "C" __global__ void matmul(const float *d_M, const float *d_N, float *d_P, int Width)
{
    __shared__ float ds_M[TW][TW];
    __shared__ float ds_N[TW][TW];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TW + ty;
    int Col = blockIdx.x * TW + tx;

    float Pvalue = 0.0f;
    int tiles = (Width - 1) / TW + 1;
    int m = 0;
    while (m < tiles) {
        ds_M[ty][tx] = 0.0f;
        ds_N[ty][tx] = 0.0f;
        if (Row < Width && m * TW + tx < Width)
            ds_M[ty][tx] = d_M[Row * Width + m * TW + tx];
        if (Col < Width && m * TW + ty < Width)
            ds_N[ty][tx] = d_N[(m * TW + ty) * Width + Col];
        __syncthreads();
        for (int k = 0; k < TW; k++)
            Pvalue += ds_M[ty][k] * ds_N[k][tx];
        __syncthreads();
    }
    if (Row < Width && Col < Width)
        d_P[Row * Width + Col] = Pvalue;
}

LAUNCH(.block = {TW, TW}, .tile = {TW, TW});
