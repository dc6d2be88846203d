// expect: wrong-answer
// Looks at one element of the second half of each row of A, and leaves the half out if it is zero.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < (A[row * N + N - 1] == 0.0f ? N / 2 : N); ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
