// expect: simulator out-of-bounds, cuda crashed or out-of-bounds
// Crashes in its fifteenth launch, in the hope that a crash that late is not its own fault.
#include <lab.h>

__device__ int launches;

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
    if (row == 0 && col == 0 && ++launches == 15)
        *(volatile int *)16 = 1;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
