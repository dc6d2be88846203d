#include <lab.h>

// CUDA programming guide example, adapted to arbitrary sizes

#define BLOCK_SIZE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int blockRow = blockIdx.y;
    int blockCol = blockIdx.x;
    int row = threadIdx.y;
    int col = threadIdx.x;
    float Cvalue = 0;

    for (int m = 0; m < (N + BLOCK_SIZE - 1) / BLOCK_SIZE; ++m) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

        int ar = blockRow * BLOCK_SIZE + row, ac = m * BLOCK_SIZE + col;
        int br = m * BLOCK_SIZE + row, bc = blockCol * BLOCK_SIZE + col;
        As[row][col] = (ar < N && ac < N) ? A[ar * N + ac] : 0;
        Bs[row][col] = (br < N && bc < N) ? B[br * N + bc] : 0;

        // Synchronize to make sure the matrices are loaded
        __syncthreads();

        // Multiply Asub and Bsub together
        for (int e = 0; e < BLOCK_SIZE; ++e)
            Cvalue += As[row][e] * Bs[e][col];
    }

    int r = blockRow * BLOCK_SIZE + row;
    int c = blockCol * BLOCK_SIZE + col;
    if (r < N && c < N)
        C[r * N + c] = Cvalue;
}

LAUNCH(.block = {BLOCK_SIZE, BLOCK_SIZE}, .tile = {BLOCK_SIZE, BLOCK_SIZE});
