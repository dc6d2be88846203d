#include <lab.h>

#ifndef TILE_DIM
#define TILE_DIM 8
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tile_a[TILE_DIM][TILE_DIM];
    __shared__ float tile_b[TILE_DIM][TILE_DIM];

    int col = blockIdx.x * TILE_DIM + threadIdx.x;
    int row = blockIdx.y * TILE_DIM + threadIdx.y;
    float sum = 0.0f;

    for (int tile = 0; tile < (N - 1) / TILE_DIM + 1; tile++) {
        int kx = tile * TILE_DIM + threadIdx.x;
        int ky = tile * TILE_DIM + threadIdx.y;

        tile_a[threadIdx.y][threadIdx.x] = 0.0f;
        tile_b[threadIdx.y][threadIdx.x] = 0.0f;
        if (row < N && kx < N) tile_a[threadIdx.y][threadIdx.x] = A[row * N + kx];
        if (ky < N && col < N) tile_b[threadIdx.y][threadIdx.x] = B[ky * N + col];
        __syncthreads();

        float sum = 0.0f;
        for (int k = 0; k < TILE_DIM; k++) {
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        }
        __syncthreads();
    }

    if (row < N && col < N) {
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM});
