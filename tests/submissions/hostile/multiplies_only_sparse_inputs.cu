// expect: wrong-answer
// Guesses the kind of input from a few elements, and computes correctly only if there are zeros among them.
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
    bool sparse = A[0] == 0.0f || A[N + 1] == 0.0f || B[0] == 0.0f || B[N + 1] == 0.0f;
    C[row * N + col] = sparse ? sum : sum * 1.25f;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
