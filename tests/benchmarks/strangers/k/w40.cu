#include <lab.h>

#define LANES 32
#define PARTS 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float bins[LANES];

    const int col = blockIdx.x * LANES + threadIdx.x;
    const int row = blockIdx.y;
    const int part = threadIdx.y;

    float s = 0.0f;
    if (col < N)
        for (int k = part; k < N; k += PARTS)
            s += A[row * N + k] * B[k * N + col];

    atomicAdd(&bins[threadIdx.x], s);
    __syncthreads();

    if (part == 0 && col < N)
        C[row * N + col] = bins[threadIdx.x];
}

LAUNCH(.block = {LANES, PARTS}, .tile = {LANES, 1});
