#include <lab.h>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const auto x = blockIdx.x * blockDim.x + threadIdx.x;
    const auto y = blockIdx.y * blockDim.y + threadIdx.y;
    const auto n = static_cast<unsigned>(N);

    if (x < n and y < n) {
        auto sum = 0;
        for (auto k = 0u; k < n; ++k)
            sum += A[y * n + k] * B[k * n + x];
        C[y * n + x] = sum;
    }
}

LAUNCH(.block = {32, 4}, .tile = {32, 4});
