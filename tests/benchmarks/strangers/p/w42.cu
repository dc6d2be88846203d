// Assignment 2, first attempt
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    // which element do I compute?
    int col = blockDim.x * blockIdx.x + threadIdx.x;
    int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row >= N) return;
    if (col >= N) return;

    float acc = 0;
    for (int k = 0; k < N; k++) {
        acc = acc + A[row * N + k] * B[col * N + k];
    }
    C[row * N + col] = acc;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
