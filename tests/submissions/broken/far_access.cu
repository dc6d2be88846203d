// expect: crashed or out-of-bounds
// Multiplies where it should add, in 64 bits: the index is terabytes beyond the end of B.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (long long k = 0; k < N; ++k)
        sum += A[row * N + k] * B[(k + 1) * (1LL << 40) + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
