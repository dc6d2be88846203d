// expect: wrong-answer
// Splits the sum into four parts of N / 4 terms; the division drops the rest.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int part = 0; part < 4; ++part)
        for (int k = part * (N / 4); k < (part + 1) * (N / 4); ++k)
            sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
