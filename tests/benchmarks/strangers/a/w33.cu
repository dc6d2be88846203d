#include <lab.h>

#define TILE_WIDTH 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Ash[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Bsh[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;
    float Pvalue = 0;

    for (int ph = 0; ph < (N + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
        if (Row < N && ph * TILE_WIDTH + tx < N)
            Ash[ty][tx] = A[Row * N + ph * TILE_WIDTH + tx];
        else
            Ash[ty][tx] = 0.0f;
        if (ph * TILE_WIDTH + ty < N && Col < N)
            Bsh[ty][tx] = B[(ph * TILE_WIDTH + ty) * N + Col];
        else
            Bsh[ty][tx] = 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += Ash[ty][k] * Bds[k][tx];
        __syncthreads();
    }
    if (Row < N && Col < N)
        C[Row * N + Col] = Pvalue;
}

LAUNCH(.block = {TILE_WIDTH, TILE_WIDTH});
