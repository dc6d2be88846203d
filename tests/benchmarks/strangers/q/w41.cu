#include <lab.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#define WARPS 8

/// A whole block (8 warps) computes one element: reduce in the warps, then over the warps.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float partial[32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int lane = warp.thread_rank();
    const int id = threadIdx.x / 32;
    const int row = blockIdx.y, col = blockIdx.x;

    float v = 0.0f;
    for (int k = threadIdx.x; k < N; k += WARPS * 32)
        v += A[row * N + k] * B[k * N + col];

    v = cg::reduce(warp, v, cg::plus<float>());
    if (lane == 0)
        partial[id] = v;
    block.sync();

    if (id == 0) {
        v = partial[lane];
        v = cg::reduce(warp, v, cg::plus<float>());
        if (lane == 0)
            C[row * N + col] = v;
    }
}

LAUNCH(.block = {WARPS * 32}, .tile = {1, 1});
