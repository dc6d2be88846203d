#include <lab.h>

// Lab 3 - first version, one thread for every element of C
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N) return;

    float s = 0.f;
    for (int k = 0; k < N; k++)
        s += A[row * N + k] * B[col * N + k];
    C[row * N + col] = s;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
