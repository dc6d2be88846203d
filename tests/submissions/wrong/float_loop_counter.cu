// expect: wrong-answer
// Steps from 0 to 1 by 1 / N in float, and computes k from that: rounding repeats some k and skips others.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (float t = 0.0f; t < 1.0f; t += 1.0f / N) {
        int k = t * N;
        sum += A[row * N + k] * B[k * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
