// expect: data-race; lines: 15; says: Data race in line 15: it writes C[0][
// Multiplies the row by the number of blocks instead of N in the store.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * gridDim.x + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
