#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = threadIdx.y + blockIdx.y * blockDim.y;
    int col = threadIdx.x + blockIdx.x * blockDim.x;

    if (row < N)
        if (col < N) {
            float sum = 0.0;
            for (int k = 0; k < N; k++)
                sum += A[row][k] * B[k][col];
            C[row * N + col] = sum;
        }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
