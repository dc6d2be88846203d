// expect: data-race; lines: 17; says: it writes C[0][0] in block (0, 0) and in block (1, 0)
// Two blocks store their halves of the sum to the same element instead of adding them.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int half = blockIdx.x % 2;
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x / 2 * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    int blocks = min(2, gridDim.x - blockIdx.x / 2 * 2);  // the last tile may have only one
    for (int k = half; k < N; k += blocks)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {8, 16});
