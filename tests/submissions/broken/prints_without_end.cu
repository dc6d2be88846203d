// expect: timeout or output
// Prints lines until C is complete, which never happens. A GPU delivers printed output only when the kernel ends.
#include <cstdio>
#include <lab.h>

__device__ volatile int done;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    while (!done)
        printf("still working on N = %d\n", N);

    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
