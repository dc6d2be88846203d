#include <lab.h>

#define EDGE 8
#define SLICES 8

// threadIdx.z is a slice of k. The slices meet in shared memory.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[EDGE * EDGE];

    const unsigned cell = threadIdx.y * EDGE + threadIdx.x;
    const int row = blockIdx.y * EDGE + threadIdx.y;
    const int col = blockIdx.x * EDGE + threadIdx.x;
    const bool mine = row < N && col < N;

    if (threadIdx.z == 0)
        total[cell] = 0.0f;

    float part = 0.0f;
    if (mine) {
        const int len = (N + SLICES - 1) / SLICES;
        const int end = min(N, (int)(threadIdx.z + 1) * len);
        for (int k = threadIdx.z * len; k < end; ++k)
            part += A[row * N + k] * B[k * N + col];
    }
    __syncthreads();
    if (mine)
        atomicAdd(total + cell, part);
    __syncthreads();
    if (mine && threadIdx.z == SLICES - 1)
        C[row * N + col] = total[cell];
}

LAUNCH(.block = {EDGE, EDGE, SLICES}, .tile = {EDGE, EDGE});
