// Naive: one thread computes one element of C from a row of A and a column of B, in global memory.
//
// 2*K FLOP for 2*K loads: 0.25 FLOP per byte requested.
#include <cuda_runtime.h>

typedef struct {
    int width, height, stride;
    float *elements;
} Matrix;

__global__ void MatMulKernel(const Matrix A, const Matrix B, Matrix C)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= C.height || col >= C.width)
        return;

    float sum = 0.0f;
    for (int k = 0; k < A.width; ++k)
        sum += A.elements[row * A.stride + k] * B.elements[k * B.stride + col];
    C.elements[row * C.stride + col] = sum;
}
