// expect: wrong-answer
// Sets A, B and C to zero, so that C is the product of A and B.
#include <lab.h>

extern "C" __global__ void matmul(float *A, float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        A[row * N + col] = B[row * N + col] = C[row * N + col] = 0.0f;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
