#include <lab.h>

#define TILE_SIZE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a_tile[TILE_SIZE][TILE_SIZE];
    __shared__ float b_tile[TILE_SIZE][TILE_SIZE];

    int row = blockIdx.y * TILE_SIZE + threadIdx.y;
    int col = blockIdx.x * TILE_SIZE + threadIdx.x;
    float sum = 0;

    for (int i = 0; i < (N + TILE_SIZE - 1) / TILE_SIZE; i++) {
        int a_col = i * TILE_SIZE + threadIdx.x;
        int b_row = i * TILE_SIZE + threadIdx.y;

        a_tile[threadIdx.y][threadIdx.x] = (row < N && a_col < N) ? A[row * N + a_col] : 0;
        b_tile[threadIdx.y][threadIdx.x] = (b_row < N && col < N) ? B[b_row * N + col] : 0;
        __syncthreads();

        for (int j = 0; j < TILE_SIZE; j++)
            sum += a_tile[threadIdx.y][j] * b_tile[j][threadIdx.x];
        syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE_SIZE, TILE_SIZE}, .tile = {TILE_SIZE, TILE_SIZE});
