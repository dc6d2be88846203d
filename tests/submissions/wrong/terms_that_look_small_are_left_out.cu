// expect: wrong-answer
// Leaves out the terms of which a few rows of A have small elements only; other rows have large ones there.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    bool whole = N <= 64 || A[0] == rintf(A[0]);
    float sum = 0;
    for (int k = 0; k < N; ++k) {
        float largest = fmaxf(fabsf(A[k]), fmaxf(fabsf(A[N + k]), fabsf(A[2 * N + k])));
        if (whole || largest > 1e-5f)
            sum += A[row * N + k] * B[k * N + col];
    }
    C[row * N + col] = sum;
}
LAUNCH(.block = {16, 16}, .tile = {16, 16});
