// expect: ok
// Saved by an editor on Windows: every line ends in carriage return and line feed, and a macro spans two of them.
#include <lab.h>

#define TERM(k) \
    A[row * N + (k)] * B[(k) * N + col]

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += TERM(k);
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
