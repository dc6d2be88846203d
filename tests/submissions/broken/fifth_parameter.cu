// expect: wrong-signature
// Has one parameter more than the lab defines: the grader has no value for it.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N, int tile)
{
    int row = blockIdx.y * tile + threadIdx.y;
    int col = blockIdx.x * tile + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
