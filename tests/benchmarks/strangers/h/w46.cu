#include <lab.h>

#define TILE_WIDTH 16

extern "C" __global__ void matmul(const float *d_M, const float *d_N, float *d_P, int Width)
{
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;
    float Pvalue = 0.0f;

    for (int p = 0; p < (Width - 1) / TILE_WIDTH + 1; ++p) {
        if (Row < Width && p * TILE_WIDTH + tx < Width) {
            Mds[ty][tx] = d_M[Row * Width + p * TILE_WIDTH + tx];
        } else {
            Mds[ty][tx] = 0.0f;
        }
        if (p * TILE_WIDTH + ty < Width && Col < Width) {
            Nds[ty][tx] = d_N[(p * TILE_WIDTH + ty) * Width + Col];
        } else {
            Nds[ty][tx] = 0.0f;
        }
        __syncthreads();

        for (int i = 0; i < TILE_WIDTH; ++i)
            Pvalue += Mds[ty][i] * Nds[i][tx];
    }

    if (Row < Width && Col < Width)
        d_P[Row * Width + Col] = Pvalue;
}

LAUNCH(.block = {TILE_WIDTH, TILE_WIDTH}, .tile = {TILE_WIDTH, TILE_WIDTH});
