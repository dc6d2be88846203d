// expect: wrong-answer
// Bets on matrices of equal elements, for which every element of C is N times one product.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = N * A[0] * B[0];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
