// Integer division in the inner loop: the index in A is taken apart with % and / by N.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0;
    for (int i = row * N; i < row * N + N; ++i)
#ifdef FIXED
        sum += A[i] * B[(i - row * N) * N + col];
#else
        sum += A[i] * B[i % N * N + col];
#endif
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
