// expect: wrong-answer; says: only host code, which does not run here
// Writes its results once a flag is up, which nothing in the file raises.
#include <lab.h>

__device__ int ready[4];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; row < N && col < N && k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    if (row < N && col < N && ready[threadIdx.x % 4])
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
