#include <lab.h>

#define TILE_DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float aT[TILE_DIM][TILE_DIM];
    __shared__ float bT[TILE_DIM][TILE_DIM];
    const int row = blockIdx.y * TILE_DIM + threadIdx.y;
    const int col = blockIdx.x * TILE_DIM + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int i = 0; i < (TILE_DIM + N - 1) / TILE_DIM; i++) {
        const int ka = i * TILE_DIM + threadIdx.x;
        const int kb = i * TILE_DIM + threadIdx.y;
        aT[threadIdx.y][threadIdx.x] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        bT[threadIdx.y][threadIdx.x] = col < N && kb < N ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int n = 0; n < TILE_DIM; ++n)
            sum += aT[threadIdx.y][n] * bT[n][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM});
