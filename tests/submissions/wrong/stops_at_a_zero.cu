// expect: wrong-answer
// Leaves the loop at the first zero in A, where it should go on with the next term.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k) {
        if (A[row * N + k] == 0.0f)
            break;
        sum += A[row * N + k] * B[k * N + col];
    }
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
