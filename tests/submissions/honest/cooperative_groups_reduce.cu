// expect: ok
// Cooperative groups: each group of 16 threads computes one element and adds up with cg::reduce.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <lab.h>

namespace cg = cooperative_groups;

#define GROUP 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    auto group = cg::tiled_partition<GROUP>(cg::this_thread_block());
    int row = blockIdx.y;
    int col = blockIdx.x * group.meta_group_size() + group.meta_group_rank();
    if (col >= N)
        return;

    float sum = 0.0f;
    for (int k = group.thread_rank(); k < N; k += group.num_threads())
        sum += A[row * N + k] * B[k * N + col];
    sum = cg::reduce(group, sum, cg::plus<float>());
    if (group.thread_rank() == 0)
        C[row * N + col] = sum;
}

LAUNCH(.block = {8 * GROUP}, .tile = {8, 1});
