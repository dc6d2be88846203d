// Needless barriers: a kernel without shared memory that waits for its block in every step.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < N; ++k) {
        if (row < N && col < N)
            sum += A[row * N + k] * B[k * N + col];
#ifndef FIXED
        __syncthreads();
#endif
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
