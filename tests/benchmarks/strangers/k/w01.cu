// Lab 3 - tiled matrix multiplication
#include <lab.h>

#define TILE_WIDTH 16

extern "C" __global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float ds_M[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ds_N[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;

    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;
    float Pvalue = 0;

    const int numPhases = ceilf(width / TILE_WIDTH);
    for (int ph = 0; ph < numPhases; ++ph) {
        int mc = ph * TILE_WIDTH + tx;
        int nr = ph * TILE_WIDTH + ty;
        ds_M[ty][tx] = (Row < width && mc < width) ? M[Row * width + mc] : 0.0f;
        ds_N[ty][tx] = (nr < width && Col < width) ? N[nr * width + Col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += ds_M[ty][k] * ds_N[k][tx];
        __syncthreads();
    }
    if (Row < width && Col < width)
        P[Row * width + Col] = Pvalue;
}

LAUNCH(.block = {TILE_WIDTH, TILE_WIDTH});
