#include <lab.h>

// one block = one row segment of 256 columns
extern "C" __global__ void matmul(const float* __restrict__ A, const float* __restrict__ B,
                                  float* __restrict__ C, int N)
{
    const auto col = blockIdx.x * blockDim.x + threadIdx.x;
    const auto row = blockIdx.y;
    if (col >= N) return;

    const auto* a = A + row * N;
    const auto* b = B + col;
    auto acc = 0;
    for (auto k = 0; k < N; ++k, b += N)
        acc += a[k] * *b;
    C[row * N + col] = acc;
}

LAUNCH(.block = {256}, .tile = {256, 1});
