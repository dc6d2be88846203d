#include <lab.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define TEAM 8
#define TEAMS 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<TEAM> team = cg::tiled_partition<TEAM>(block);

    const int row = blockIdx.y;
    const int col = blockIdx.x * TEAMS + team.meta_group_rank();

    float s = 0.0f;
    if (col < N)
        for (int k = team.thread_rank(); k < N; k += team.size())
            s += A[row * N + k] * B[k * N + col];

    s = cg::reduce(team, s, cg::plus<float>());
    block.sync();

    if (team.thread_rank() == 0 && col < N)
        C[row * N + col] = s;
}

LAUNCH(.block = {TEAM * TEAMS}, .tile = {TEAMS, 1});
