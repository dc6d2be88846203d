// expect: wrong-answer
// Fills C with the bits that the grader uses for elements that were never written.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    C[row * N + col] = __uint_as_float(0x7fa5a5a5u);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
