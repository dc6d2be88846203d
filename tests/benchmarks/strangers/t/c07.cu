#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// A warp computes the elements of one row, four columns one after the other.
constexpr int WARPS_PER_BLOCK = 8;
constexpr int COLS_PER_WARP   = 4;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    auto block = cg::this_thread_block();
    auto warp  = cg::tiled_partition<32>(block);

    const int row = blockIdx.y * WARPS_PER_BLOCK + threadIdx.y;
    if (row >= N)
        return;                         // a whole warp at a time

    for (int j = 0; j < COLS_PER_WARP; ++j) {
        const int col = blockIdx.x * COLS_PER_WARP + j;
        if (col >= N)
            break;

        float v = 0.0f;
        for (int k = warp.thread_rank(); k < N; k += warp.size())
            v += A[row * N + k] * B[k * N + col];

        for (int d = warp.size() / 2; d > 0; d /= 2)
            v += warp.shfl_down(v, d);

        if (warp.thread_rank() == 0)
            C[row * N + col] = v;
    }
}

LAUNCH(.block = {32, WARPS_PER_BLOCK}, .tile = {COLS_PER_WARP, WARPS_PER_BLOCK});
