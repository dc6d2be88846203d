// expect: ok
// A macro has the name of an attribute of nvcc, which the file itself does not use.
#include <lab.h>

#define constant 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * constant + threadIdx.y;
    int col = blockIdx.x * constant + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {constant, constant}, .tile = {constant, constant});
