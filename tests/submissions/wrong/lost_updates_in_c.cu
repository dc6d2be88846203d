// expect: data-race; lines: 20; says: additions are lost: use atomicAdd
// The 32 threads of a warp add their parts of one sum to C without atomics, and one addition overwrites the other.
#include <lab.h>

#define PARTS 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int part = threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    int col = blockIdx.x;

    if (part == 0 && row < N)
        C[row * N + col] = 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int k = part; row < N && k < N; k += PARTS)
        sum += A[row * N + k] * B[k * N + col];
    if (row < N)
        C[row * N + col] += sum;
}

LAUNCH(.block = {PARTS, 8}, .tile = {1, 8});
