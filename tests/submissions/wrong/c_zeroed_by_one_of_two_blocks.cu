// expect: data-race; lines: 18, 19
// Two blocks add their halves of the sum to C, and one of them sets it to zero before, which is too late for the other.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int half = blockIdx.x % 2;
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x / 2 * 16 + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    int blocks = min(2, gridDim.x - blockIdx.x / 2 * 2);  // the last tile may have only one
    for (int k = half; k < N; k += blocks)
        sum += A[row * N + k] * B[k * N + col];
    if (half == blocks - 1)
        C[row * N + col] = 0.0f;
    atomicAdd(&C[row * N + col], sum);
}

LAUNCH(.block = {16, 16}, .tile = {8, 16});
