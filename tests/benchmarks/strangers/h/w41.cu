#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int safeRow = min(row, N - 1);
    int safeCol = min(col, N - 1);
    float sum = 0.0f;

    for (int t = 0; t < (N + TILE - 1) / TILE; ++t) {
        // stay inside of the matrices
        int kA = min(t * TILE + (int)threadIdx.x, N - 1);
        int kB = min(t * TILE + (int)threadIdx.y, N - 1);
        As[threadIdx.y][threadIdx.x] = A[safeRow * N + kA];
        Bs[threadIdx.y][threadIdx.x] = B[kB * N + safeCol];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
