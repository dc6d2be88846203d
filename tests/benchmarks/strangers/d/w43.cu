#include <lab.h>

#define B_X 32
#define B_Y 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * B_Y + threadIdx.y;
    const int col = blockIdx.x * B_X + threadIdx.x;

    if (row < N && col < N) {
        for (int k = 0; k < N; ++k)
            C[row * N + col] += A[row * N + k] * B[k * N + col];
    }
}

LAUNCH(.block = {B_X, B_Y}, .tile = {B_X, B_Y});
