#include <lab.h>

#define TX 32
#define TY 16

extern "C" __global__ void __launch_bounds__(256) matmul(const float *__restrict__ A, const float *__restrict__ B,
                                                         float *__restrict__ C, int N)
{
    int col = blockIdx.x * TX + threadIdx.x;
    int row = blockIdx.y * TY + threadIdx.y;
    if (row >= N || col >= N) return;

    float sum = 0.0f;
#pragma unroll 8
    for (int k = 0; k < N; ++k)
        sum = fmaf(__ldg(A + row * N + k), __ldg(B + k * N + col), sum);
    C[row * N + col] = sum;
}

LAUNCH(.block = {TX, TY}, .tile = {TX, TY});
