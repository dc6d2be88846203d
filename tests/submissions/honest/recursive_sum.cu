// expect: ok
// A device function that calls itself adds 64 terms at a time, at most 16 levels deep.
#include <lab.h>

__device__ __noinline__ float dot(const float *a, const float *b, int stride, int terms)
{
    float sum = 0.0f;
    for (int k = 0; k < min(terms, 64); ++k)
        sum += a[k] * b[k * stride];
    return terms <= 64 ? sum : dot(a + 64, b + 64 * stride, stride, terms - 64) + sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        C[row * N + col] = dot(A + row * N, B + col, N, N);
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
