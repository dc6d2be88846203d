#include <lab.h>

#define BLOCK_SIZE 16

float getElement(const float *M, int n, int r, int c)
{
    if (r < n && c < n)
        return M[r * n + c];
    return 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

    int row = blockIdx.y * BLOCK_SIZE + threadIdx.y;
    int col = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float Cvalue = 0;

    for (int m = 0; m < (N + BLOCK_SIZE - 1) / BLOCK_SIZE; ++m) {
        As[threadIdx.y][threadIdx.x] = getElement(A, N, row, m * BLOCK_SIZE + threadIdx.x);
        Bs[threadIdx.y][threadIdx.x] = getElement(B, N, m * BLOCK_SIZE + threadIdx.y, col);
        __syncthreads();
        for (int e = 0; e < BLOCK_SIZE; ++e)
            Cvalue += As[threadIdx.y][e] * Bs[e][threadIdx.x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = Cvalue;
}

LAUNCH(.block = {BLOCK_SIZE, BLOCK_SIZE}, .tile = {BLOCK_SIZE, BLOCK_SIZE});
