#include <lab.h>

#define TILE_WIDTH 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Ads[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Bds[TILE_WIDTH][TILE_WIDTH];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_WIDTH + ty;
    int Col = blockIdx.x * TILE_WIDTH + tx;

    float Cvalue = 0;
    for (int m = 0; m < (N + TILE_WIDTH - 1) / TILE_WIDTH; ++m) {
        int aCol = m * TILE_WIDTH + tx, bRow = m * TILE_WIDTH + ty;
        Ads[ty][tx] = (Row < N && aCol < N) ? A[Row * N + aCol] : 0;
        Bds[ty][tx] = (bRow < N && Col < N) ? B[bRow * N + Col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE_SIZE; ++k) {
            Cvalue += Ads[ty][k] * Bds[k][tx];
        }
        __syncthreads();
    }
    if (Row < N && Col < N) C[Row * N + Col] = Cvalue;
}

LAUNCH(.block = {TILE_WIDTH, TILE_WIDTH}, .tile = {TILE_WIDTH, TILE_WIDTH});
