#include <lab.h>

// Matrices are stored in row-major order:
// M(row, col) = *(M.elements + row * width + col)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int width)
{
    // Each thread computes one element of C
    // by accumulating results into Cvalue
    float Cvalue = 0;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = threadIdx.x * blockDim.x + blockIdx.x;
    if (row >= width || col >= width)
        return;
    for (int e = 0; e < width; ++e)
        Cvalue += A[row * width + e] * B[e * width + col];
    C[row * width + col] = Cvalue;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
