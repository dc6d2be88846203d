// A loop that is not unrolled: the condition at its end depends on a variable that any thread may write.
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0;
#ifdef FIXED
#pragma unroll 8
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
#else
    int k = 0;
#pragma unroll 1
    do
        sum += A[row * N + k] * B[k * N + col];
    while (++k < N);
#endif
    C[row * N + col] = sum;
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
