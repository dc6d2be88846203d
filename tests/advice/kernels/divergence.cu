// Divergence inside a warp: odd and even threads take different branches in the loop.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0;
#ifdef FIXED
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
#else
    if (threadIdx.x % 2)
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
    else
        for (int k = N - 1; k >= 0; --k)
            sum += A[row * N + k] * B[k * N + col];
#endif
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
