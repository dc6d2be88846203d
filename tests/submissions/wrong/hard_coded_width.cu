// expect: out-of-bounds; lines: 16
// The width of the matrices is the one of the author's test, 64.
#include <lab.h>

#define WIDTH 64

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * WIDTH + k] * B[k * WIDTH + col];
    C[row * WIDTH + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
