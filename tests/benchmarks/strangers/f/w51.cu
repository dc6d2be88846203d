#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = threadIdx.x + blockIdx.x * blockDim.x;
    int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (col >= N || row >= N)
        return;

    float *rowA = A + row * N;
    float sum = 0.0f;
    for (int k = 0; k < N; k++, rowA++)
        sum += *rowA * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 32}, .tile = {32, 32});
