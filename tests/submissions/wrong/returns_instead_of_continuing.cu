// expect: wrong-answer; says: never written
// Returns when the first of its two columns is outside, although the second may be inside.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    for (int part = 1; part >= 0; --part) {
        int col = blockIdx.x * 32 + part * 16 + threadIdx.x;
        if (row >= N || col >= N)
            return;
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});
