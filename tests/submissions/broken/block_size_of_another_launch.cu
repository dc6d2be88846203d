// expect: launch-failed; says: __block_size__
// Demands blocks of 64 x 4 threads, and launches as many threads in another shape.
#include <lab.h>

extern "C" __global__ void __block_size__((64, 4, 1)) matmul(const float *A, const float *B, float *C, int N)
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
