#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    auto block = cg::this_thread_block();
    auto group = cg::tiled_partition<16>(block);

    const int lane = threadIdx.x % 32;
    const int wid = threadIdx.x / 32;
    const int row = blockIdx.y * 16 + 2 * wid;       // two rows per warp
    const int col = blockIdx.x * 32 + lane;
    const bool has0 = row < N, has1 = row + 1 < N;

    float x = 0.0f, y = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 32) {
        const int k = k0 + lane;
        const float a0 = has0 && k < N ? A[row * N + k] : 0.0f;
        const float a1 = has1 && k < N ? A[(row + 1) * N + k] : 0.0f;
        for (int s = 0; s < 32; ++s) {
            const float b = k0 + s < N && col < N ? B[(k0 + s) * N + col] : 0.0f;
            x += group.shfl(a0, s) * b;
            y += group.shfl(a1, s) * b;
        }
    }

    if (has0 && col < N) C[row * N + col] = x;
    if (has1 && col < N) C[(row + 1) * N + col] = y;
}

LAUNCH(.block = {256}, .tile = {32, 16});
