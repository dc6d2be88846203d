#include <lab.h>

// my first kernel
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    float tmp = 0;
    for (int i = 0; i < N; i++)
        tmp = tmp + A[y * N + i] * B[i * N + x];

    C[y * N + x] = tmp;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
