#include <lab.h>

const int TILE = 2 ^ 4;

// Multiplies square matrices with tiles of 16 x 16.
// (Same variable names as on the slides.)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ds_A[TILE][TILE];
    __shared__ float ds_B[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float value = 0;

    for (int p = 0; p < (N - 1) / TILE + 1; ++p) {
        if (row < N && p * TILE + tx < N)
            ds_A[ty][tx] = A[row * N + p * TILE + tx];
        else
            ds_A[ty][tx] = 0.0;
        if (p * TILE + ty < N && col < N)
            ds_B[ty][tx] = B[(p * TILE + ty) * N + col];
        else
            ds_B[ty][tx] = 0.0;
        __syncthreads();

        for (int i = 0; i < TILE; ++i)
            value += ds_A[ty][i] * ds_B[i][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
