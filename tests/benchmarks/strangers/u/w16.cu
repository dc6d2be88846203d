#include <lab.h>

namespace cfg {
    constexpr int kThreadsX = 32;
    constexpr int kThreadsY = 8;
    constexpr int kCoarsen  = 4;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    using namespace cfg;
    const int row  = blockIdx.y * kThreadsY + threadIdx.y;
    const int left = blockIdx.x * kThreadsX * kCoarsen + threadIdx.x;

    if (row < N) {
        const int stride = blockDim.y;
        float acc[kCoarsen] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int k = 0; k < N; ++k) {
            const float a = A[row * N + k];
            for (int q = 0; q < kCoarsen; ++q) {
                const int col = left + q * stride;
                if (col < N) acc[q] += a * B[k * N + col];
            }
        }
        for (int q = 0; q < kCoarsen; ++q) {
            const int col = left + q * stride;
            if (col < N) C[row * N + col] = acc[q];
        }
    }
}

LAUNCH(.block = {cfg::kThreadsX, cfg::kThreadsY}, .tile = {cfg::kThreadsX * cfg::kCoarsen, cfg::kThreadsY});
