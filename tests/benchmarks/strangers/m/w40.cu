#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float at[16][17];
    __shared__ float bt[16][17];

    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);

    dim3 t = block.thread_index();
    dim3 g = block.group_index();
    int row = g.y * 16 + t.y;
    int col = g.x * 16 + t.x;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += 16) {
        at[t.y][t.x] = (row < N && k0 + (int)t.x < N) ? A[row * N + k0 + t.x] : 0.0f;
        bt[t.y][t.x] = (col < N && k0 + (int)t.y < N) ? B[(k0 + t.y) * N + col] : 0.0f;
        block.sync();
        for (int k = 0; k < 16; ++k)
            sum += at[t.y][k] * bt[k][t.x];
        warp.sync();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {16, 16}, .tile = {16, 16});
