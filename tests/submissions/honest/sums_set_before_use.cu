// expect: ok
// Sums in global memory keep the values of the launch before, but each thread sets its own to zero first. A variable
// that nothing sets is zero by the standard, and the kernel adds it; the number of launches never reaches C.
#include <lab.h>

__device__ float sums[1024][1024];
__device__ float offset;
__device__ int launches;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row == 0 && col == 0)
        launches += 1;
    if (row >= N || col >= N)
        return;

    sums[row][col] = 0.0f;
    for (int k = 0; k < N; ++k)
        sums[row][col] += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sums[row][col] + offset;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
