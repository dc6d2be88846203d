// expect: wrong-answer
// Writes infinity, in the hope that the check divides the error by the magnitude of the result.
#include <lab.h>

extern "C" __global__ void matmul(const float *, const float *, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = __int_as_float(0x7f800000);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
