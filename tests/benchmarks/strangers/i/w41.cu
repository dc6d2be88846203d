#include <lab.h>
#define BLOCK_SIZE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Cs[BLOCK_SIZE][BLOCK_SIZE];   // the block's part of C

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK_SIZE + ty;
    const int col = blockIdx.x * BLOCK_SIZE + tx;

    for (int start = 0; start < N; start += BLOCK_SIZE) {
        As[ty][tx] = 0.0f;
        if (row < N && start + tx < N)
            As[ty][tx] = A[row * N + start + tx];
        Bs[ty][tx] = 0.0f;
        if (start + ty < N && col < N)
            Bs[ty][tx] = B[(start + ty) * N + col];
        __syncthreads();

        for (int k = 0; k < BLOCK_SIZE; ++k)
            Cs[ty][tx] += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = Cs[ty][tx];
}

LAUNCH(.block = {BLOCK_SIZE, BLOCK_SIZE}, .tile = {BLOCK_SIZE, BLOCK_SIZE});
