#include <lab.h>

template <typename F>
__device__ void for_each_k(int n, F f)
{
    for (int k = 0; k < n; ++k) f(k);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= N || col >= N) return;

    float sum = 0.0f;
    auto accumulate = [=](float a, float b) mutable { sum += a * b; };
    for_each_k(N, [&](int k) { accumulate(A[row * N + k], B[k * N + col]); });
    C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
