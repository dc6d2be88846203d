#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = blockIdx.x * blockDim.x + threadIDx.x;

    if (y >= N || x >= N) return;

    float acc = 0.0f;
    for (int k = 0; k < N; ++k)
        acc += A[y * N + k] * B[k * N + x];
    C[y * N + x] = acc;
}

LAUNCH(.block = {32, 16}, .tile = {32, 16});
