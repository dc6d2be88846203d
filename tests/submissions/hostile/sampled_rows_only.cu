// expect: wrong-answer
// Computes the first, the last and every eighth row, and copies an eighth of the work's result over the other rows:
// a check that samples would have to be lucky.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    int computed = row == N - 1 ? row : row / 8 * 8;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[computed * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
