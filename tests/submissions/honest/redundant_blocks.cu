// expect: ok
// LAUNCH starts four times as many blocks as needed; several of them compute and store the same elements.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y / 2 + threadIdx.y;
    int col = blockIdx.x * blockDim.x / 2 + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {8, 8});
