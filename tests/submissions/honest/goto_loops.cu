// expect: ok
// Loops written with goto.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int k = 0;
    float sum = 0.0f;
    if (row >= N || col >= N)
        goto end;
again:
    sum += A[row * N + k] * B[k * N + col];
    if (++k < N)
        goto again;
    C[row * N + col] = sum;
end:;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
