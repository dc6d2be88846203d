// expect: wrong-signature; says: in 1 byte
// Takes N as an unsigned char, which 257 does not fit.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, unsigned char N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
