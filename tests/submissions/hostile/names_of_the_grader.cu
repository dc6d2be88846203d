// expect: ok or no-kernel
// Uses names of the grader's own kernels, variables and functions for its own.
#include <lab.h>

__device__ float base, target, x, result, poison, verdict, lab_launch_, score = 100.0f;

extern "C" __global__ void gate(const volatile unsigned *) {}
extern "C" __global__ void copy(const float4 *, float4 *, size_t) {}
extern "C" __device__ void project(const float *, const double *) {}
extern "C" __device__ void freshen(float *C) { *C = score; }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
