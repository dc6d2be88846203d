// expect: ok
// A macro has the name of an attribute of nvcc. It is defined above lab.h and used behind LAUNCH, too.
#define constant 16
#include <lab.h>

LAUNCH(.block = {constant, constant}, .tile = {constant, constant});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * constant + threadIdx.y;
    int col = blockIdx.x * constant + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sums[constant] = {};
    for (int k = 0; k < N; ++k)
        sums[k % constant] += A[row * N + k] * B[k * N + col];
    for (int i = 1; i < constant; ++i)
        sums[0] += sums[i];
    C[row * N + col] = sums[0];
}
