#include <lab.h>
#include <cstddef>

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    auto a = [=](int i, int k) -> float {
        return A[static_cast<std::size_t>(i) * N + k];
    };
    auto b = [](int k, int j) -> float {
        return B[static_cast<std::size_t>(k) * N + j];
    };

    const auto i = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const auto j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < N && j < N) {
        auto sum = 0.0f;
        for (auto k = 0; k < N; ++k)
            sum += a(i, k) * b(k, j);
        C[static_cast<std::size_t>(i) * N + j] = sum;
    }
}

LAUNCH(.block = {32, 8}, .tile = {32, 8});
