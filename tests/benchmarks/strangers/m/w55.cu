#include <lab.h>
#include <cuda_fp16.h>

typedef __half Elem;

#define TILE_DIM 32
#define BLOCK_ROWS 8

// 32 x 8 threads for a tile of 32 x 32: four rows for each thread
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Elem as[TILE_DIM][TILE_DIM];
    __shared__ Elem bs[TILE_DIM][TILE_DIM];

    int tx = threadIdx.x;
    int col = blockIdx.x * TILE_DIM + tx;
    float sum[TILE_DIM / BLOCK_ROWS] = {0.0f};

    for (int k0 = 0; k0 < N; k0 += TILE_DIM) {
        for (int y = threadIdx.y; y < TILE_DIM; y += BLOCK_ROWS) {
            int row = blockIdx.y * TILE_DIM + y;
            as[y][tx] = (Elem)((row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f);
            bs[y][tx] = (Elem)((col < N && k0 + y < N) ? B[(k0 + y) * N + col] : 0.0f);
        }
        __syncthreads();
        for (int k = 0; k < TILE_DIM; k++) {
            float b = (float)bs[k][tx];
            for (int i = 0; i < TILE_DIM / BLOCK_ROWS; i++)
                sum[i] += (float)as[threadIdx.y + i * BLOCK_ROWS][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < TILE_DIM / BLOCK_ROWS; i++) {
        int row = blockIdx.y * TILE_DIM + threadIdx.y + i * BLOCK_ROWS;
        if (row < N && col < N)
            C[row * N + col] = sum[i];
    }
}

LAUNCH(.block = {TILE_DIM, BLOCK_ROWS}, .tile = {TILE_DIM, TILE_DIM});
