// expect: ok
// Loads through the read-only cache with __ldg, and __restrict__ pointers in both spellings.
#include <lab.h>

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict B, float *C, const int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < N; ++k)
        sum = fmaf(__ldg(A + row * N + k), __ldg(&B[k * N + col]), sum);
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
