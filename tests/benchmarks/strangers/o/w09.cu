#include <lab.h>

// my first kernel :)
// one thread = one element of C

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= N || j >= N)
        return;

    float s = 0;
    for (int k = 0; k < N; k++)
        s = s + A[i * N + k] * B[j * N + k];

    C[i * N + j] = s;
}

LAUNCH(.block = {16, 16});
