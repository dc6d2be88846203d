#include <lab.h>

#define BS 16

// accumulators in global memory: saves registers, as each thread needs only one
__device__ float partial[BS * BS];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int tid = threadIdx.y * BS + threadIdx.x;
    int row = blockIdx.y * BS + threadIdx.y;
    int col = blockIdx.x * BS + threadIdx.x;

    if (row >= N || col >= N)
        return;

    float *acc = &partial[tid];
    *acc = 0.0f;
    for (int k = 0; k < N; k++)
        *acc += A[row * N + k] * B[k * N + col];

    C[row * N + col] = *acc;
}

LAUNCH(.block = {BS, BS}, .tile = {BS, BS});
