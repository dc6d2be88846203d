// expect: ok
// Adds terms in pairs, pairs of pairs and so on: partial sums wait in a small stack.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float waiting[32];
    int depth = 0;
    for (int k = 0; k < N; ++k) {
        float sum = A[row * N + k] * B[k * N + col];
        for (int level = k; level & 1; level >>= 1)
            sum += waiting[--depth];
        waiting[depth++] = sum;
    }
    float sum = 0.0f;
    while (depth)
        sum += waiting[--depth];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
