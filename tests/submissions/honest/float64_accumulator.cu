// expect: ok
// Sums in double and rounds once at the end: more accurate than it needs to be.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    double sum = 0.0;
    for (int k = 0; k < N; ++k)
        sum += static_cast<double>(A[row * N + k]) * B[k * N + col];
    C[row * N + col] = static_cast<float>(sum);
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
