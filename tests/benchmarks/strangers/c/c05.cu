// The z layers split the k loop; their parts meet in shared memory. atomicAdd on shared floats.
#include <lab.h>

#define T 8
#define SPLIT 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[T * T];
    int cell = threadIdx.y * T + threadIdx.x;
    int col = blockIdx.x * T + threadIdx.x, row = blockIdx.y * T + threadIdx.y;

    if (threadIdx.z == SPLIT - 1)
        total[cell] = 0.0f;
    __syncthreads();
    if (row < N && col < N) {
        float part = 0.0f;
        for (int k = threadIdx.z; k < N; k += SPLIT)
            part += A[row * N + k] * B[k * N + col];
        atomicAdd(total + cell, part);
    }
    __syncthreads();
    if (row < N && col < N && threadIdx.z == 0)
        C[row * N + col] = total[cell];
}

LAUNCH(.block = {T, T, SPLIT}, .tile = {T, T});
