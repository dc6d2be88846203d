// expect: ok
// Adds the terms from the last to the first, and numbers rows and columns from the end.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = N - 1 - (blockIdx.y * blockDim.y + threadIdx.y);
    int col = N - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
    if (row < 0 || col < 0)
        return;

    float sum = 0.0f;
    for (int k = N; k-- > 0;)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
