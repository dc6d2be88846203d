#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int COLS = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);

    int row = blockIdx.y * 4 + threadIdx.x / 32;
    if (row >= N)
        return;

    for (int c = 0; c < COLS; ++c) {
        int col = blockIdx.x * COLS + c;
        if (col >= N)
            return;
        float sum = 0.0f;
        for (int k = warp.thread_rank(); k < N; k += block.size())
            sum += A[row * N + k] * B[k * N + col];
        for (int d = warp.size() / 2; d > 0; d /= 2)
            sum += warp.shfl_down(sum, d);
        if (warp.thread_rank() == 0)
            C[row * N + col] = sum;
    }
}

LAUNCH(.block = {128}, .tile = {COLS, 4});
