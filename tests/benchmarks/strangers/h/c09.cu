#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Half a warp shares a row of A through shuffles; B's tile is in shared memory.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int S = 16;
    __shared__ float tile[S][S];

    auto block = cg::this_thread_block();
    auto half = cg::tiled_partition<S>(block);

    const int x = half.thread_rank();
    const int y = block.thread_rank() / S;
    const int row = block.group_index().y * S + y;
    const int col = block.group_index().x * S + x;

    float dot = 0.0f;
    for (int k0 = 0; k0 < N; k0 += S) {
        const float a = row < N && k0 + x < N ? A[row * N + k0 + x] : 0.0f;
        tile[y][x] = k0 + y < N && col < N ? B[(k0 + y) * N + col] : 0.0f;
        block.sync();
        for (int k = 0; k < S; ++k)
            dot += half.shfl(a, k) * tile[k][x];
        block.sync();
    }
    if (row < N && col < N)
        C[row * N + col] = dot;
}

LAUNCH(.block = {256}, .tile = {16, 16});
