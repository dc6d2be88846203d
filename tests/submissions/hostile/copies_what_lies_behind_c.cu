// expect: out-of-bounds
// Looks for the expected answer right behind C.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    C[row * N + col] = C[N * N + 64 + row * N + col];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
