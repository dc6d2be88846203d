#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

// C is 1 where every group answers as it should; the block has 64 threads.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    __shared__ int sum;
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto four = cg::tiled_partition<4>(block);
    int own = block.thread_rank();
    if (own == 0) sum = 0;
    block.sync();
    bool right = block.size() == 64 && own == threadIdx.x && block.group_index().x == 0;
    right &= warp.thread_rank() == own % 32 && warp.size() == 32 && warp.meta_group_rank() == own / 32;
    right &= four.thread_rank() == own % 4 && four.num_threads() == 4 && four.meta_group_size() == 16;
    right &= four.shfl(own, 1) == own / 4 * 4 + 1 && four.shfl_xor(own, 2) == (own ^ 2);
    right &= warp.shfl_down(own, 1) == (own % 32 == 31 ? own : own + 1);
    right &= four.shfl_up(own, 3) == (own % 4 == 3 ? own - 3 : own) && four.ballot(own % 4 == 2) == 4u;
    right &= warp.any(own % 32 == 7) && !warp.all(own % 32 == 7);
    right &= cg::reduce(four, own % 4, cg::plus<int>()) == 6 && cg::reduce(warp, own % 32, cg::greater<int>()) == 31;
    if (own % 2) {
        auto odd = cg::coalesced_threads();
        right &= odd.size() == 16 && odd.thread_rank() == own % 32 / 2 && odd.shfl(own, 1) == own / 32 * 32 + 3;
        if (odd.thread_rank() == 0) atomicAdd(&sum, odd.size());
    }
    cg::sync(block);
    C[own] = right && sum == 32 ? 1.0f : 0.0f;
}
