#include <lab.h>
#define SLICES 4

// blocks of 16 x 16 x 4 threads: threadIdx.z takes every fourth k
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float result[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    int col = blockIdx.x * 16 + tx;
    int row = blockIdx.y * 16 + ty;

    if (tz == 0)
        result[ty][tx] = 0.0f;
    __syncthreads();

    float partial = 0.0f;
    if (row < N && col < N)
        for (int k = tz; k < N; k += SLICES)
            partial += A[row * N + k] * B[k * N + col];
    result[ty][tx] += partial;
    __syncthreads();

    if (tz == 0 && row < N && col < N)
        C[row * N + col] = result[ty][tx];
}

LAUNCH(.block = {16, 16, SLICES}, .tile = {16, 16});
