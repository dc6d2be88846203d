#include <lab.h>

/**
 * MatrixMultiplier - translated from our Java assignment.
 */
extern "C" __global__ void matmul(const float *matrixA, const float *matrixB, float *matrixC, int size) {
    int rowIndex = blockIdx.y * blockDim.y + threadIdx.y;
    int columnIndex = blockIdx.x * blockDim.x + threadIdx.x;

    if (rowIndex < size && columnIndex < size) {
        int result = 0;
        for (int innerIndex = 0; innerIndex < size; innerIndex++) {
            result += matrixA[rowIndex * size + innerIndex] * matrixB[innerIndex * size + columnIndex];
        }
        matrixC[rowIndex * size + columnIndex] = result;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
