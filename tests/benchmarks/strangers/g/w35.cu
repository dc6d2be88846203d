#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int EDGE = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[EDGE][EDGE];
    __shared__ float b[EDGE][EDGE];

    cg::thread_block block = cg::this_thread_block();
    auto team = cg::tiled_partition<32>(block);

    const dim3 me = block.thread_index();
    const dim3 at = block.group_index();
    const int row = at.y * EDGE + me.y;
    const int col = at.x * EDGE + me.x;

    float sum = 0.0f;
    for (int first = 0; first < N; first += EDGE) {
        const int ka = first + me.x;
        const int kb = first + me.y;
        a[me.y][me.x] = row < N && ka < N ? A[row * N + ka] : 0.0f;
        b[me.y][me.x] = col < N && kb < N ? B[kb * N + col] : 0.0f;
        team.sync();

        for (int k = 0; k < EDGE; ++k)
            sum += a[me.y][k] * b[k][me.x];
        block.sync();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {EDGE, EDGE}, .tile = {EDGE, EDGE});
