// expect: wrong-answer
// A thread computes four elements and starts the sum at zero only for the first of them.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col0 = blockIdx.x * 64 + threadIdx.x;

    float sum = 0.0f;
    for (int col = col0; col < col0 + 64; col += 16)
        if (row < N && col < N) {
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
            C[row * N + col] = sum;
        }
}

LAUNCH(.block = {16, 16}, .tile = {64, 16});
