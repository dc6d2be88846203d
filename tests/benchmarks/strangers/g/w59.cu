#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row, col, k;
    float sum;

    row = blockIdx.y * blockDim.y + threadIdx.y;
    col = blockIdx.x * blockDim.x + threadIdx.x;

    if ((row < N) && (col < N));
    {
        sum = 0.0f;
        for (k = 0; k < N; k++)
        {
            sum += A[row * N + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
