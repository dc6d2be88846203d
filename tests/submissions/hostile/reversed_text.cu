// expect: wrong-answer; says: writes nothing
// Bidirectional control characters let a reader see a comment where the compiler sees a return.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    /* begin‮ ⁦*/ return; /*⁩ ⁦ the sum */
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
