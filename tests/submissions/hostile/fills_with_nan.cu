// expect: wrong-answer
// Writes NaN, in the hope that the check tests "error > tolerance", which is false for NaN.
#include <lab.h>

extern "C" __global__ void matmul(const float *, const float *, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = nanf("");
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
