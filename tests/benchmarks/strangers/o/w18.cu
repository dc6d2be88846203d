#include <lab.h>

#define SPLIT_K 4

extern "C" __global__ void matmul(const float* __restrict__ A, const float* __restrict__ B,
                                  float* __restrict__ C, int N)
{
    const int col    = blockIdx.x * 16 + threadIdx.x;
    const int row    = blockIdx.y * 16 + threadIdx.y;
    const int k_part = threadIdx.z;

    // interleaved: part p takes k = p, p + 4, p + 8, ...
    float sum = 0.0f;
    if (row < N && col < N)
    {
        for (int k = k_part; k < N; k += SPLIT_K)
            sum += A[row * N + k] * B[k * N + col];

        atomicAdd(C + row * N + col, sum);
    }
}

LAUNCH(.block = {16, 16, SPLIT_K}, .tile = {16, 16});
