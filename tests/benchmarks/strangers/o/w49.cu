#include <lab.h>

#define BLOCK_SIZE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // Block and thread index
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * BLOCK_SIZE + ty;
    int col = blockIdx.x * BLOCK_SIZE + tx;

    if (row >= N || col >= N) return;

    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    float Csub = 0;

    // Loop over all the sub-matrices of A and B
    for (int m = 0; m < (N + BLOCK_SIZE - 1) / BLOCK_SIZE; ++m) {
        int ac = m * BLOCK_SIZE + tx;
        int br = m * BLOCK_SIZE + ty;
        As[ty][tx] = (row < N && ac < N) ? A[row * N + ac] : 0;
        Bs[ty][tx] = (br < N && col < N) ? B[br * N + col] : 0;

        // Synchronize to make sure the matrices are loaded
        __syncthreads();

        for (int k = 0; k < BLOCK_SIZE; ++k) {
            Csub += As[ty][k] * Bs[k][tx];
        }

        // Synchronize before the next sub-matrices
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = Csub;
}

LAUNCH(.block = {BLOCK_SIZE, BLOCK_SIZE}, .tile = {BLOCK_SIZE, BLOCK_SIZE});
