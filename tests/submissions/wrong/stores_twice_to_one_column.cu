// expect: wrong-answer; says: never written
// A thread computes two columns and stores both sums in the first.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    if (row >= N || col >= N)
        return;

    float left = 0.0f, right = 0.0f;
    for (int k = 0; k < N; ++k) {
        left += A[row * N + k] * B[k * N + col];
        if (col + 1 < N)
            right += A[row * N + k] * B[k * N + col + 1];
    }
    C[row * N + col] = left;
    if (col + 1 < N)
        C[row * N + col] = right;
}

LAUNCH(.block = {16, 16}, .tile = {32, 16});
