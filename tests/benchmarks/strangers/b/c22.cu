#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int S = 16;
    __shared__ float tileA[S][S];
    __shared__ float tileB[S][S];

    auto block = cg::this_thread_block();
    const int x = block.thread_index().x;
    const int y = block.thread_index().y;
    const int col = block.group_index().x * S + x;
    const int row = block.group_index().y * S + y;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += S) {
        tileA[y][x] = (row < N && k0 + x < N) ? A[row * N + k0 + x] : 0.0f;
        tileB[y][x] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.0f;
        block.sync();
        for (int k = 0; k < S; ++k)
            sum += tileA[y][k] * tileB[k][x];
        block.sync();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
