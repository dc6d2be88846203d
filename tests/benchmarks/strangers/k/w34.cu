#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    constexpr int T = 32;
    __shared__ float As[T][T], Bs[T][T];

    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const dim3 id = block.thread_index();
    const int row = block.group_index().y * T + id.y;
    const int col = block.group_index().x * T + id.x;

    float sum = 0;
    for (int kb = 0; kb < N; kb += T) {
        const int ak = kb + id.x, bk = kb + id.y;
        As[id.y][id.x] = (row < N && ak < N) ? A[row * N + ak] : 0;
        Bs[id.y][id.x] = (bk < N && col < N) ? B[bk * N + col] : 0;
        warp.sync();
        for (int k = 0; k < T; ++k)
            sum += As[id.y][k] * Bs[k][id.x];
        block.sync();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {32, 32});
