// expect: ok
// Row and column share one integer: 16 bits for each.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned position = row << 16 | col;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[(position >> 16) * N + k] * B[k * N + (position & 0xffff)];
    C[(position >> 16) * N + (position & 0xffff)] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
