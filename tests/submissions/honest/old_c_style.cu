// expect: ok
// C of the last century: all declarations first, pointers that walk, comma operators, and a do loop.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row, col, left;
    float sum;
    const float *a;
    const float *b;

    row = blockIdx.y * blockDim.y + threadIdx.y;
    col = blockIdx.x * blockDim.x + threadIdx.x;
    if (!(row < N && col < N)) return;

    for (sum = 0, left = N, a = &A[row * N], b = &B[col]; left--; b += N)
        sum += *a++ * *b;
    do *(C + row * N + col) = sum; while (0);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
