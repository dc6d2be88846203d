// expect: ok
// A counter of tiles that is never reset: each launch takes one for each tile, so a remainder is enough.
#include <lab.h>

#define T 16

__device__ unsigned next_tile;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ unsigned mine;
    unsigned side = (N + T - 1) / T;
    if (threadIdx.x == 0 && threadIdx.y == 0)
        mine = atomicAdd(&next_tile, 1u) % (side * side);
    __syncthreads();
    int row = mine / side * T + threadIdx.y, col = mine % side * T + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
