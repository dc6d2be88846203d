// expect: ok
// Defines functions of the C library and a constructor, which would run first in a process that loads the file.
#include <lab.h>

extern "C" int prctl(int, ...) { return 0; }
extern "C" long syscall(long, ...) { return 0; }
__attribute__((constructor)) static void first() { *(volatile int *)8 = 1; }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
