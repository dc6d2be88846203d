#include <lab.h>

#define TILE 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    // + 1 for the rest
    for (int t = 0; t < N / TILE + 1; t++) {
        int a = t * TILE + threadIdx.x;
        int b = t * TILE + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (a >= N || row >= N) ? 0.0f : A[row * N + a];
        Bs[threadIdx.y][threadIdx.x] = (b >= N || col >= N) ? 0.0f : B[b * N + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
