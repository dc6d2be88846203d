// expect: simulator crashed or memory or out-of-bounds, cuda crashed or out-of-bounds or timeout
// Computes a dot product by recursion, but the base case compares with the wrong value: the stack overflows.
#include <lab.h>

__device__ __noinline__ float dot(const float *A, const float *B, int row, int col, int k, int N)
{
    if (k == -N)
        return 0.0f;
    volatile float term = A[row * N + k % N] * B[k % N * N + col];
    return dot(A, B, row, col, k + 1, N) + term;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = dot(A, B, row, col, 0, N);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
