#include <lab.h>

/**
 * Matrix product, translated from MatrixUtil.java.
 *
 *   for (int i ...) for (int j ...) for (int k ...)
 *       result[i][j] += left[i][k] * right[k][j];
 */
extern "C" __global__ void matmul(const float *left, const float *right, float *result, int size)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= size || j >= size) {
        return;
    }

    for (int k = 0; k < size; k++) {
        result[i * size + j] += left[i * size + k] * right[k * size + j];
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
