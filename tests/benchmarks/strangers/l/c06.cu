// Eight threads share each patch of 1 x 4 elements: they split K and add up with cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <lab.h>

namespace cg = cooperative_groups;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    auto team = cg::tiled_partition<8>(cg::this_thread_block());
    const int number = threadIdx.x / 8;  // of the team in the block
    const int row = blockIdx.y * 8 + number / 4;
    const int col = blockIdx.x * 16 + number % 4 * 4;

    float4 s = {0.0f, 0.0f, 0.0f, 0.0f};
    if (row < N && col < N) {
        for (int k = team.thread_rank(); k < N; k += team.size()) {
            const float a = A[row * N + k];
            const float *b = B + k * N + col;
            s.x += a * b[0];
            if (col + 1 < N) s.y += a * b[1];
            if (col + 2 < N) s.z += a * b[2];
            if (col + 3 < N) s.w += a * b[3];
        }
    }

    s.x = cg::reduce(team, s.x, cg::plus<float>());
    s.y = cg::reduce(team, s.y, cg::plus<float>());
    s.z = cg::reduce(team, s.z, cg::plus<float>());
    s.w = cg::reduce(team, s.w, cg::plus<float>());

    const int mine = team.thread_rank();
    if (mine < 4 && row < N && col + mine < N)
        C[row * N + col + mine] = mine == 0 ? s.x : mine == 1 ? s.y : mine == 2 ? s.z : s.w;
}

LAUNCH(.block = {256}, .tile = {16, 8});
