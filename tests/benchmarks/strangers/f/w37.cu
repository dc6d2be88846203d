#include <lab.h>

#define BX 32
#define BY 4

// accumulator in shared memory to save registers
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float acc[BY][BX];

    int col = blockIdx.x * BX + threadIdx.x;
    int row = blockIdx.y * BY + threadIdx.y;
    if (row >= N || col >= N)
        return;

    float *mine = &acc[threadIdx.y][threadIdx.x];
    for (int k = 0; k < N; ++k)
        *mine += A[row * N + k] * B[k * N + col];

    C[row * N + col] = *mine;
}

LAUNCH(.block = {BX, BY}, .tile = {BX, BY});
