// expect: wrong-answer
// Writes zeros, in the hope that the check accepts any matrix of the right shape or has a wide tolerance.
#include <lab.h>

extern "C" __global__ void matmul(const float *, const float *, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = 0.0f;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
