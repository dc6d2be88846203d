// expect: compile-error; says: is not a header
// Reads a script of the system by a path that starts in the compiler's folder: the preprocessor quotes its first lines.
#include "../../../../../../../../../../../../usr/bin/ldd"
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}
