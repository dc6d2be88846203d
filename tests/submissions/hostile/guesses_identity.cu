// expect: wrong-answer
// Bets on one of the matrices being the identity, and copies the other one.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = A[0] == 1.0f ? B[row * N + col] : A[row * N + col];
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
