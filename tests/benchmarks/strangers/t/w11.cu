#include <lab.h>

// Split-K inside the block: threadIdx.z takes every SLICES-th k.
#define TS     16
#define SLICES 4

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int N)
{
    __shared__ float total[TS][TS];

    const int i = blockIdx.y * TS + threadIdx.y;
    const int j = blockIdx.x * TS + threadIdx.x;

    if (threadIdx.z == 0)
        total[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();

    float mine = 0.0f;
    if (i < N && j < N)
        for (int k = threadIdx.z; k < N; k += SLICES)
            mine += A[i * N + k] * B[k * N + j];

    total[threadIdx.y][threadIdx.x] += mine;
    __syncthreads();

    if (threadIdx.z == 0 && i < N && j < N)
        C[i * N + j] = total[threadIdx.y][threadIdx.x];
}

LAUNCH(.block = {TS, TS, SLICES}, .tile = {TS, TS});
