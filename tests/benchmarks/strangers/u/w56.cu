#include <lab.h>
#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tA[TILE][TILE];
    __shared__ float tB[TILE][TILE];

    int j = blockIdx.x * TILE + threadIdx.x;
    int i = blockIdx.y * TILE + threadIdx.y;

    // nothing to compute here
    if (i >= N || j >= N) return;

    float sum = 0.f;
    for (int m = 0; m < (N + TILE - 1) / TILE; m++) {
        int jj = m * TILE + threadIdx.x;
        int ii = m * TILE + threadIdx.y;
        tA[threadIdx.y][threadIdx.x] = (i < N && jj < N) ? A[i * N + jj] : 0.f;
        tB[threadIdx.y][threadIdx.x] = (ii < N && j < N) ? B[ii * N + j] : 0.f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += tA[threadIdx.y][k] * tB[k][threadIdx.x];
        __syncthreads();
    }
    if (i < N && j < N) C[i * N + j] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
