// Double precision in the inner loop: the constant 1.0 is a double, and so is the product with it.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0;
    for (int k = 0; k < N; ++k)
#ifdef FIXED
        sum += A[row * N + k] * B[k * N + col] + 0.0f;
#else
        sum = sum + 1.0 * A[row * N + k] * B[k * N + col];
#endif
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
