#include <lab.h>

#define NTHREADS 256;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float part[NTHREADS];
    int row = blockIdx.y;
    int col = blockIdx.x * 64 + threadIdx.x % 64;
    int q = threadIdx.x / 64;      // which quarter of the sum

    float s = 0;
    if (col < N)
        for (int k = q; k < N; k += 4)
            s += A[row * N + k] * B[k * N + col];
    part[threadIdx.x] = s;
    __syncthreads();
    if (q == 0 && col < N)
        C[row * N + col] = part[threadIdx.x] + part[threadIdx.x + 64] + part[threadIdx.x + 128] + part[threadIdx.x + 192];
}

LAUNCH(.block = {256}, .tile = {64, 1});
