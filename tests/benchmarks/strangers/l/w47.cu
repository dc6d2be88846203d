#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

constexpr int S = 20;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[S][S];
    __shared__ float b[S][S];

    cg::thread_block block = cg::this_thread_block();
    const dim3 t = block.thread_index();
    const dim3 g = block.group_index();
    const int row = g.y * S + t.y;
    const int col = g.x * S + t.x;
    const bool mine = row < N && col < N;

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += S) {
        const int ka = k0 + t.x;
        const int kb = k0 + t.y;
        a[t.y][t.x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        b[t.y][t.x] = (col < N && kb < N) ? B[kb * N + col] : 0.0f;
        block.sync();
        if (mine) {
            for (int k = 0; k < S; ++k)
                acc += a[t.y][k] * b[k][t.x];
            block.sync();
        }
    }

    if (mine)
        C[row * N + col] = acc;
}

LAUNCH(.block = {S, S}, .tile = {S, S});
