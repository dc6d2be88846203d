#include <lab.h>

// every thread does 4 neighbouring columns
#define COLS 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int first = (blockIdx.x * 16 + threadIdx.x) * COLS;
    if (row >= N)
        return;

    float sum = 0.0f;
    for (int c = first; c < first + COLS && c < N; ++c) {
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + c];
        C[row * N + c] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16 * COLS, 16});
