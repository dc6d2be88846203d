// expect: ok
// Half a warp computes each element: the halves add their terms by shuffles, and one elected lane of each half stores.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <lab.h>

#define GROUP 16
#define COLUMNS_OF_A_BLOCK 8

namespace cg = cooperative_groups;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    auto group = cg::tiled_partition<GROUP>(cg::this_thread_block());
    int row = blockIdx.y;
    int col = blockIdx.x * COLUMNS_OF_A_BLOCK + group.meta_group_rank();
    if (col >= N)
        return;

    float sum = 0.0f;
    for (int k = group.thread_rank(); k < N; k += GROUP)
        sum += A[row * N + k] * B[k * N + col];
    sum = cg::reduce(group, sum, cg::plus<float>());
    cg::invoke_one(group, [&] { C[row * N + col] = sum; });
}

LAUNCH(.block = {GROUP * COLUMNS_OF_A_BLOCK}, .tile = {COLUMNS_OF_A_BLOCK, 1});
