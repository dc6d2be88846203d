#include <lab.h>
#include <cooperative_groups.h>

using namespace cooperative_groups;

// Half a warp works on one row of the tile, and its members exchange their values of A.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sB[16][16];
    thread_block all = this_thread_block();
    thread_block_tile<16> team = tiled_partition<16>(all);
    const int x = team.thread_rank();
    const int y = team.meta_group_rank();
    const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;

    float sum = 0;
    for (int k0 = 0; k0 < N; k0 += 16) {
        const float a = row < N && k0 + x < N ? A[row * N + k0 + x] : 0;
        sB[y][x] = col < N && k0 + y < N ? B[(k0 + y) * N + col] : 0;
        all.sync();
        for (int k = 0; k < 16; ++k)
            sum += team.shfl(a, k) * sB[k][x];
        all.sync();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {256}, .tile = {16, 16});
