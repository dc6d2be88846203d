#include <lab.h>

#ifndef TILE_WIDTH
#define TILE_WIDTH 16
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ds_M[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ds_N[TILE_WIDTH][TILE_WIDTH];

    int row = blockIdx.y * TILE_WIDTH + threadIdx.y;
    int col = blockIdx.x * TILE_WIDTH + threadIdx.x;
    float Pvalue = 0;

    // Loop over the tiles
    for (int k0 = 0; k0 < N; k0 += TILE_WIDTH) {
        if (row < N)
            ds_M[threadIdx.y][threadIdx.x] = A[row * N + k0 + threadIdx.x];
        else
            ds_M[threadIdx.y][threadIdx.x] = 0;

        if (k0 + threadIdx.y < N && col < N)
            ds_N[threadIdx.y][threadIdx.x] = B[(k0 + threadIdx.y) * N + col];
        else
            ds_N[threadIdx.y][threadIdx.x] = 0;

        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; ++i)
            Pvalue += ds_M[threadIdx.y][i] * ds_N[i][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = Pvalue;
}

LAUNCH(.block = {TILE_WIDTH, TILE_WIDTH}, .tile = {TILE_WIDTH, TILE_WIDTH});
