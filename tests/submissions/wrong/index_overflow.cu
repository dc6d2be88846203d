// expect: wrong-answer
// Keeps the index in 16 bits "to save registers": it wraps around from N = 257 on.
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
    unsigned short index = row * N + col;
    C[index] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
