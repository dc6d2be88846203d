// expect: compile-error or launch-failed or memory or wrong-answer
// An array of 256 MiB with an initial value, which makes a file of 256 MiB.
#include <lab.h>

__device__ int hog[1 << 26] = {1};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum + hog[N];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
