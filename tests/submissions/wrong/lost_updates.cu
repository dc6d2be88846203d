// expect: data-race; lines: 21
// The 32 threads of a warp add their parts of one sum without atomics, and one addition overwrites the other. The
// simulator runs the threads of a block in turn and so never loses one.
#include <lab.h>

#define PARTS 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float total[8];
    int part = threadIdx.x;
    int row = blockIdx.y * 8 + threadIdx.y;
    int col = blockIdx.x;

    if (part == 0)
        total[threadIdx.y] = 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int k = part; row < N && k < N; k += PARTS)
        sum += A[row * N + k] * B[k * N + col];
    total[threadIdx.y] += sum;
    __syncthreads();
    if (part == 0 && row < N)
        C[row * N + col] = total[threadIdx.y];
}

LAUNCH(.block = {PARTS, 8}, .tile = {1, 8});
