// expect: compile-error or no-kernel
// Undefines and redefines the macros by which headers know the compiler.
#include <lab.h>

#undef __CUDACC__
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ 1
#undef __global__
#define __global__
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
