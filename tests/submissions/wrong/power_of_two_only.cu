// expect: wrong-answer; says: index & (N - 1) is a remainder only
// Splits a linear index with a mask instead of a remainder, which is the same only when N is a power of two.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int index = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    int row = index / N;
    int col = index & (N - 1);
    if (row >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {256}, .tile = {256, 1});
