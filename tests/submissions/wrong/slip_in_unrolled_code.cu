// expect: wrong-answer
// Unrolled by hand, with one index wrong in the last of four lines.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    int k = 0;
    for (; k + 3 < N; k += 4) {
        sum += A[row * N + k] * B[k * N + col];
        sum += A[row * N + k + 1] * B[(k + 1) * N + col];
        sum += A[row * N + k + 2] * B[(k + 2) * N + col];
        sum += A[row * N + k + 3] * B[(k + 2) * N + col];
    }
    for (; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
