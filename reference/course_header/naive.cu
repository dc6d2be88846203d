// Naive: one thread computes 2 x 2 elements of C, which are BLOCK_SIZE apart, without shared memory.
//
// 8*K FLOP for 4*K loads: 0.5 FLOP per byte requested.
#include "matmultKernel.h"

__global__ void MatMulKernel(const Matrix A, const Matrix B, Matrix C)
{
    const int first_row = blockIdx.y * FOOTPRINT_SIZE + threadIdx.y;
    const int first_col = blockIdx.x * FOOTPRINT_SIZE + threadIdx.x;

    float sums[2][2] = {};
    for (int k = 0; k < A.width; ++k)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                sums[i][j] += A.elements[(first_row + i * BLOCK_SIZE) * A.stride + k] *
                              B.elements[k * B.stride + first_col + j * BLOCK_SIZE];

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            C.elements[(first_row + i * BLOCK_SIZE) * C.stride + first_col + j * BLOCK_SIZE] = sums[i][j];
}
