// expect: wrong-answer
// Writes col for row in the index of A: every column of C holds one value.
#include <lab.h>
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N) return;
    float s = 0;
    for (int k = 0; k < N; ++k) s += A[col * N + k] * B[k * N + col];
    C[row * N + col] = s;
}
