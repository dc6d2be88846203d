#include <lab.h>

#define BLOCK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.x * BLOCK + threadIdx.x;
    int col = blockIdx.y * BLOCK + threadIdx.y;

    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[col * N + row] = sum;
    }
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK, BLOCK}, .grid_x = ROWS);
