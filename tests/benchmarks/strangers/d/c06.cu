#include <lab.h>

#define XY 8
#define SLICES 6

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * XY + threadIdx.x;
    const int row = blockIdx.y * XY + threadIdx.y;
    const bool inside = row < N && col < N;

    if (threadIdx.z == 0 && inside)
        C[row * N + col] = 0.0f;
    __syncthreads();

    const int chunk = (N + SLICES - 1) / SLICES;
    const int begin = threadIdx.z * chunk;
    const int end = min(begin + chunk, N);
    if (!inside || begin >= end)
        return;

    float sum = 0.0f;
    for (int k = begin; k < end; ++k)
        sum += A[row * N + k] * B[k * N + col];
    atomicAdd(C + row * N + col, sum);
}

LAUNCH(.block = {XY, XY, SLICES}, .tile = {XY, XY});
