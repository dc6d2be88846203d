// expect: ok
// __launch_bounds__ and #pragma unroll, and four sums at once with the tail of K in a loop of its own.
#include <lab.h>

extern "C" __global__ void __launch_bounds__(256, 4)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum[4] = {};
    int k = 0;
    for (; k + 4 <= N; k += 4) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            sum[i] += A[row * N + k + i] * B[(k + i) * N + col];
    }
    for (; k < N; ++k)
        sum[0] += A[row * N + k] * B[k * N + col];
    C[row * N + col] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
