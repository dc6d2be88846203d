#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE][TILE];
    __shared__ float sB[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float val = 0.0f;

    for (int t = 0; t < (N - 1) / TILE + 1; t++) {
        if (row < N && t * TILE + threadIdx.x < N) {
            sA[threadIdx.y][threadIdx.x] = A[row * N + t * TILE + threadIdx.x];
        } else {
            sA[threadIdx.y][threadIdx.x] = 0.0f;
        }
        if (col < N && t * TILE + threadIdx.y < N) {
            sB[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * N + col];
        } else {
            sB[threadIdx.y][threadIdx.x] = 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            val += sA[threadIdx.y][k] * sB[k][threadIdx.x];
        }
        __syncthreads();

    if (row < N && col < N) {
        C[row * N + col] = val;
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
