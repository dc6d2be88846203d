// expect: out-of-bounds; lines: 15
// Uses the width of the grid as the length of a row, which is the same only when N is a multiple of the tile.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int pitch = gridDim.x * blockDim.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * pitch + k] * B[k * pitch + col];
    C[row * pitch + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
