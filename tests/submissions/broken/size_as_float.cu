// expect: wrong-signature
// Takes N as a float: the four bytes of the integer would be read as a number close to zero.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, float size)
{
    int N = static_cast<int>(size);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
