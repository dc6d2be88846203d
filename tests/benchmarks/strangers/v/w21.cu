// Cooperative groups. 8 warps, warp w computes row w of an 8 x 32 tile.
#include <lab.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define WARPS 8
#define W 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);

    __shared__ float rowA[WARPS][W];   // one line per warp
    __shared__ float tileB[W][W];

    const int lane = warp.thread_rank();
    const int w = threadIdx.y;
    const int row = blockIdx.y * WARPS + w;
    const int col = blockIdx.x * W + lane;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += W) {
        rowA[w][lane] = (row < N && k0 + lane < N) ? A[row * N + k0 + lane] : 0.0f;
        for (int i = w; i < W; i += WARPS)
            tileB[i][lane] = (k0 + i < N && col < N) ? B[(k0 + i) * N + col] : 0.0f;
        warp.sync();

        for (int k = 0; k < W; ++k)
            sum += rowA[w][k] * tileB[k][lane];
        block.sync();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {W, WARPS}, .tile = {W, WARPS});
