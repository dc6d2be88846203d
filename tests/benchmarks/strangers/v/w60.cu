#include <lab.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define WIDTH 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);

    __shared__ float rowsA[WIDTH][WIDTH];
    __shared__ float rowsB[WIDTH][WIDTH];

    // warp number w handles row w of the tile
    const int w = warp.meta_group_rank();
    const int lane = warp.thread_rank();
    const int row = blockIdx.y * WIDTH + w;
    const int col = blockIdx.x * WIDTH + lane;

    float value = 0.0f;
    for (int k0 = 0; k0 < N; k0 += WIDTH) {
        rowsA[w][lane] = (row < N && k0 + lane < N) ? A[row * N + k0 + lane] : 0.0f;
        rowsB[w][lane] = (k0 + w < N && col < N) ? B[(k0 + w) * N + col] : 0.0f;
        warp.sync();   // the warp has written its rows

        for (int k = 0; k < WIDTH; ++k)
            value += rowsA[w][k] * rowsB[k][lane];
        block.sync();
    }

    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {WIDTH, WIDTH}, .tile = {WIDTH, WIDTH});
