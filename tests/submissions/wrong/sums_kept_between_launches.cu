// expect: wrong-answer; says: still holds what line 15 wrote in an earlier launch
// Adds to sums in global memory that are zero for the first launch only.
#include <lab.h>

__device__ float sums[1024][1024];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    for (int k = 0; k < N; ++k)
        sums[row][col] += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sums[row][col];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
