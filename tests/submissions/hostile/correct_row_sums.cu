// expect: wrong-answer
// Puts the sum of every row of C into its first column: correct for a check that multiplies C by a vector of ones.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    if (col == 0)
        for (int k = 0; k < N; ++k) {
            float line = 0.0f;
            for (int j = 0; j < N; ++j)
                line += B[k * N + j];
            sum += A[row * N + k] * line;
        }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
