// expect: data-race; lines: 16, 17
// Reads the sum without waiting for the others' additions. The compare-and-swap never runs: it only lets the load look
// like the guess that a loop with atomicCAS() begins with.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sum;
    int row = blockIdx.y, col = blockIdx.x;
    if (threadIdx.x == 0)
        sum = 0.0f;
    __syncthreads();
    float part = 0.0f;
    for (int k = threadIdx.x; k < N; k += 64)
        part += A[row * N + k] * B[k * N + col];
    atomicAdd(&sum, part);
    int seen = *(int *)&sum;
    if (N < 0)
        atomicCAS((int *)&sum, seen, 0);
    if (threadIdx.x == 63)
        C[row * N + col] = __int_as_float(seen);
}
LAUNCH(.block = {64, 1}, .tile = {1, 1});
