// Counts down with an unsigned counter, and the block's coordinates are turned around: the first block has the last tile.
#include <lab.h>

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const unsigned n = N;
    const unsigned row = (gridDim.y - 1 - blockIdx.y) * T + (T - 1 - threadIdx.y);
    const unsigned col = (gridDim.x - 1 - blockIdx.x) * T + threadIdx.x;
    if (!(row < n) | !(col < n))
        return;
    float s = 0.0f;
    for (unsigned k = n; k-- > 0;)
        s += A[row * n + k] * B[k * n + col];
    C[row * n + col] = s;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
