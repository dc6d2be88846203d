// expect: wrong-answer
// Sums in half precision, which keeps 11 bits of every partial sum.
#include <cuda_fp16.h>
#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    __half sum = __float2half(0.0f);
    for (int k = 0; k < N; ++k)
        sum = __float2half(__half2float(sum) + A[row * N + k] * B[k * N + col]);
    C[row * N + col] = __half2float(sum);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
