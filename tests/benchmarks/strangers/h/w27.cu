#include <lab.h>

#define TILE_DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float CValue = 0;

    int Row = blockIdx.y * TILE_DIM + threadIdx.y;
    int Col = blockIdx.x * TILE_DIM + threadIdx.x;

    __shared__ float As[TILE_DIM][TILE_DIM];
    __shared__ float Bs[TILE_DIM][TILE_DIM];

    for (int k = 0; k < (TILE_DIM + N - 1) / TILE_DIM; k++) {

        if (k * TILE_DIM + threadIdx.x < N && Row < N)
            As[threadIdx.y][threadIdx.x] = A[Row * N + k * TILE_DIM + threadIdx.x];
        else
            As[threadIdx.y][threadIdx.x] = 0.0;

        if (k * TILE_DIM + threadIdx.y < N && Col < N)
            Bs[threadIdx.y][threadIdx.x] = B[(k * TILE_DIM + threadIdx.y) * N + Col];
        else
            Bs[threadIdx.y][threadIdx.x] = 0.0;

        __syncthreads();

        for (int n = 0; n < TILE_DIM; ++n)
            CValue += As[threadIdx.y][n] * Bs[n][threadIdx.x];

        __syncthreads();
    }

    C[Row * N + Col] = CValue;
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM});
