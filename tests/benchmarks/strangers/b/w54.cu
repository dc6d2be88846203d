#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
#pragma unroll 8
    for (int k = 0; k < N; ++k)
        sum += __ldg(A + row * N + k) * __ldg(B + k * N + col);
    C[row * N + col] = sum;
}

LAUNCH(.block = {64, 32}, .tile = {64, 32});
