// expect: data-race; lines: 20; says: both load the same value, one of the two additions is lost
// Two blocks add their halves to one sum: each reads it with atomicAdd() of zero, and exchanges it for its own sum.
#include <lab.h>

#define T 16

__device__ float sums[512 * 512];
__device__ unsigned done[64][64];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ unsigned ticket;
    int part = blockIdx.x % 2, tile = blockIdx.x / 2, parts = min(2, gridDim.x - 2 * tile);
    int row = blockIdx.y * T + threadIdx.y, col = tile * T + threadIdx.x;
    bool inside = row < N && col < N;
    float sum = 0.0f;
    for (int k = part; inside && k < N; k += parts)
        sum += A[row * N + k] * B[k * N + col];
    if (inside)
        atomicExch(&sums[row * N + col], atomicAdd(&sums[row * N + col], 0.0f) + sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0)
        ticket = atomicInc(&done[blockIdx.y][tile], parts - 1);
    __syncthreads();
    if (ticket == parts - 1 && inside) {
        C[row * N + col] = atomicExch(&sums[row * N + col], 0.0f);
    }
}

LAUNCH(.block = {T, T}, .tile = {T / 2, T});
