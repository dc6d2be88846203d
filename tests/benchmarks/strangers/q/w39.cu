#include <lab.h>

// Parallel over k too: the 8 z-threads share one element and combine with atomics.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    const bool in = row < N && col < N;

    float local = 0.0f;
    if (in)
        for (int k = threadIdx.z; k < N; k += 8)
            local += A[row * N + k] * B[k * N + col];

    if (in)
        atomicAdd(C + row * N + col, local);
}

LAUNCH(.block = {16, 8, 8}, .tile = {16, 8});
