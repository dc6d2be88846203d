// Atomic operations on the result: each thread adds every product to C. The fixed kernel adds them up first.
// size: 256
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
#ifdef FIXED
    float sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
#else
    C[row * N + col] = 0;
    for (int k = 0; k < N; ++k)
        atomicAdd(&C[row * N + col], A[row * N + k] * B[k * N + col]);
#endif
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
