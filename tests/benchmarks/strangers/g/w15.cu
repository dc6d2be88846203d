#include <lab.h>

#define TILE_SIZE 16

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float sA[TILE_SIZE][TILE_SIZE];
    __shared__ float sB[TILE_SIZE][TILE_SIZE];
    int i, j, k;
    float tmp = 0.0;

    i = blockIdx.y * TILE_SIZE + threadIdx.y;
    j = blockIdx.x * TILE_SIZE + threadIdx.x;

    for (k = 0; k < n; k += TILE_SIZE) {
        sA[threadIdx.y][threadIdx.x] = 0.0;
        sB[threadIdx.y][threadIdx.x] = 0.0;
        if (i < n && k + threadIdx.x < n)
            sA[threadIdx.y][threadIdx.x] = a[i * n + k + threadIdx.x];
        if (j < n && k + threadIdx.y < n)
            sB[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + j];
        __syncthreads();

        for (k = 0; k < TILE_SIZE; k++)
            tmp += sA[threadIdx.y][k] * sB[k][threadIdx.x];
        __syncthreads();
    }

    if (i < n && j < n)
        c[i * n + j] = tmp;
}

LAUNCH(.block = {TILE_SIZE, TILE_SIZE}, .tile = {TILE_SIZE, TILE_SIZE});
