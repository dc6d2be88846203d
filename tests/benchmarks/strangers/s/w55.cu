#include <lab.h>

/**
 * Blocked summation: the sum over k is split into slices, whose partial sums
 * are added up at the end of each (less rounding error than one long sum).
 */
#define NUMBER_OF_SLICES 4

extern "C" __global__ void matmul(const float *left, const float *right, float *result, int size)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int sliceLength = size / NUMBER_OF_SLICES;

    if (i < size && j < size) {
        float total = 0.0f;
        for (int start = 0; start < size; start += sliceLength) {
            const int end = min(start + sliceLength, size);
            float partial = 0.0f;
            for (int k = start; k < end; k++) {
                partial += left[i * size + k] * right[k * size + j];
            }
            total += partial;
        }
        result[i * size + j] = total;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
