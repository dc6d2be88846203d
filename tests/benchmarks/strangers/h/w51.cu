#include <lab.h>

#define TILE_WIDTH 16

extern "C" __global__ void matmul(const float *M, const float *N, float *P, int Width)
{
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x;  int by = blockIdx.y;
    int tx = threadIdx.x; int ty = threadIdx.y;

    // Identify the row and column of the P element to work on
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;

    float Pvalue = 0;
    // Loop over the M and N tiles required to compute the P element
    for (int m = 0; m < Width / TILE_WIDTH; ++m) {
        if (Row < Width && m * TILE_WIDTH + tx < Width)
            Mds[ty][tx] = M[Row * Width + m * TILE_WIDTH + tx];
        else
            Mds[ty][tx] = 0.0f;
        if (Col < Width && m * TILE_WIDTH + ty < Width)
            Nds[ty][tx] = N[(m * TILE_WIDTH + ty) * Width + Col];
        else
            Nds[ty][tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    if (Row < Width && Col < Width)
        P[Row * Width + Col] = Pvalue;
}

LAUNCH(.block = {TILE_WIDTH, TILE_WIDTH}, .tile = {TILE_WIDTH, TILE_WIDTH});
