// expect: ok
// The parameters are __grid_constant__, and threads share a pointer to one of them.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *const __grid_constant__ C, const __grid_constant__ int N) {
    __shared__ const int *size;
    if (threadIdx.x + threadIdx.y == 0)
        size = &N;
    __syncthreads();
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, n = *size;
    if (row >= n || col >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
