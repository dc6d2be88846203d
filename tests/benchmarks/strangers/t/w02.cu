#include <lab.h>
#define TILE_WIDTH 16

/* Tiled matrix multiplication, after the lecture on shared memory (slide 31). */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x;  int by = blockIdx.y;
    int tx = threadIdx.x; int ty = threadIdx.y;

    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;
    float Pvalue = 0;

    for (int p = 0; p < (N - 1) / TILE_WIDTH + 1; ++p) {
        if (Row < N && p * TILE_WIDTH + tx < N)
            ds_A[ty][tx] = A[Row * N + p * TILE_WIDTH + tx];
        else
            ds_A[ty][tx] = 0.0;
        if (p * TILE_WIDTH + ty < N && Col < N)
            ds_B[ty][tx] = B[(p * TILE_WIDTH + ty) * N + Col];
        else
            ds_B[ty][tx] = 0.0;
        __syncthreads();

        for (int i = 0; i < TILE_WIDTH; ++i)
            Pvalue += ds_A[ty][i] * ds_B[i][tx];
    }

    if (Row < N && Col < N)
        C[Row * N + Col] = Pvalue;
}

LAUNCH(.block = {TILE_WIDTH, TILE_WIDTH}, .tile = {TILE_WIDTH, TILE_WIDTH});
