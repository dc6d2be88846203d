// expect: ok; sizes: 36
// Up to four blocks share a tile of C and add their parts in turn: each waits until the semaphore of the tile has its number.
#include <lab.h>

#define T 16
#define PARTS 4

__device__ int turn[4096];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int group = blockIdx.x / PARTS, part = blockIdx.x % PARTS, parts = min(PARTS, (int)gridDim.x - group * PARTS);
    int row = blockIdx.y * T + threadIdx.y, col = group * T + threadIdx.x, tile = blockIdx.y * 64 + group;
    int each = (N + parts - 1) / parts, end = min(N, (part + 1) * each);
    float sum = 0.0f;
    if (row < N && col < N)
        for (int k = part * each; k < end; ++k)
            sum += A[row * N + k] * B[k * N + col];
    bool leads = threadIdx.x == 0 && threadIdx.y == 0;
    if (leads)
        while (atomicAdd(&turn[tile], 0) != part)
            __nanosleep(50);
    __syncthreads();
    __threadfence();
    if (row < N && col < N)
        C[row * N + col] = part == 0 ? sum : __ldcg(&C[row * N + col]) + sum;
    __threadfence();
    __syncthreads();
    if (leads)
        atomicExch(&turn[tile], (part + 1) % parts);
}

LAUNCH(.block = {T, T}, .tile = {T / PARTS, T});
