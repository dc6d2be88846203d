#include <lab.h>

#define TILE_DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float aTile[TILE_DIM][TILE_DIM];
    __shared__ float bTile[TILE_DIM][TILE_DIM];

    int row = blockIdx.y * TILE_DIM + threadIdx.y;
    int col = blockIdx.x * TILE_DIM + threadIdx.x;
    float sum = 0.0f;

    for (int i = 0; i < N; i += TILE_DIM) {
        aTile[threadIdx.y][threadIdx.x] = 0.0f;
        bTile[threadIdx.y][threadIdx.x] = 0.0f;
        if (row < N && i + threadIdx.x < N)
            aTile[threadIdx.y][threadIdx.x] = A[row * N + i + threadIdx.x];
        if (i + threadIdx.y < N && col < N)
            bTile[threadIdx.y][threadIdx.x] = B[(i + threadIdx.y) * N + col];
        __syncthreads();
        for (int j = 0; j < TILE_DIM; j++)
            sum += aTile[threadIdx.y][j] * bTile[j][threadIdx.x];
        __syncthreads();
    }

    if (row <= N && col <= N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM});
