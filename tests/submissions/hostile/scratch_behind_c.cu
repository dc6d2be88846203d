// expect: out-of-bounds
// Uses the memory behind C as scratch space, and restores it at the end.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    if (row == 0 && col < 32) {
        volatile float *scratch = C + N * N + col;
        float before = *scratch;
        *scratch = sum;
        sum = *scratch;
        *scratch = before;
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
