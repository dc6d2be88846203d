#include <lab.h>

#define TILE_DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE_DIM][TILE_DIM];
    __shared__ float sB[TILE_DIM][TILE_DIM];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_DIM + ty;
    int col = blockIdx.x * TILE_DIM + tx;
    int numTiles = (N - 1) / TILE_DIM + 1;
    float value = 0.0f;

    for (int t = 0; t < numTiles; t++) {
        int ka = t * TILE_DIM + tx;
        int kb = t * TILE_DIM + ty;

        // only load what is inside the matrices
        if (row < N && ka < N)
            sA[ty][tx] = A[row * N + ka];
        if (kb < N && col < N)
            sB[ty][tx] = B[kb * N + col];
        __syncthreads();

        for (int k = 0; k < TILE_DIM; k++)
            value += sA[ty][k] * sB[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM});
