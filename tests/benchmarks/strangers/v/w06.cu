// modern C++ version
#include <lab.h>

template <typename F>
__device__ auto accumulate(int n, F term)
{
    auto total = 0;
    for (int k = 0; k < n; ++k)
        total += term(k);
    return total;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const auto col = blockIdx.x * blockDim.x + threadIdx.x;
    const auto row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N && col < N) {
        const auto *a = A + row * N;
        const auto *b = B + col;
        C[row * N + col] = accumulate(N, [=](int k) { return a[k] * b[k * N]; });
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
