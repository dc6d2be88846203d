#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kTile = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    cg::thread_block block = cg::this_thread_block();
    auto team = cg::tiled_partition<32>(block);

    __shared__ float a[kTile][kTile];
    __shared__ float b[kTile][kTile];

    const int tx = block.thread_index().x;
    const int ty = block.thread_index().y;
    const int col = block.group_index().x * kTile + tx;
    const int row = block.group_index().y * kTile + ty;

    float value = 0.0f;
    for (int base = 0; base < N; base += kTile) {
        a[ty][tx] = (row < N && base + tx < N) ? A[row * N + base + tx] : 0.0f;
        b[ty][tx] = (base + ty < N && col < N) ? B[(base + ty) * N + col] : 0.0f;
        team.sync();
        for (int k = 0; k < kTile; ++k) {
            value = fmaf(a[ty][k], b[k][tx], value);
        }
        block.sync();
    }

    if (row < N && col < N) {
        C[row * N + col] = value;
    }
}

LAUNCH(.block = {kTile, kTile}, .tile = {kTile, kTile});
