#include <lab.h>
#include <cooperative_groups.h>
using namespace cooperative_groups;

#define TL 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float left[TL][TL];
    __shared__ float right[TL][TL];

    thread_block block = this_thread_block();
    auto group = tiled_partition<32>(block);

    const unsigned tx = block.thread_index().x;
    const unsigned ty = block.thread_index().y;
    const int row = block.group_index().y * TL + ty;
    const int col = block.group_index().x * TL + tx;

    float result = 0.0f;
    for (int k = 0; k < N; k += TL)
    {
        left[ty][tx]  = (row < N && k + tx < N) ? A[row * N + k + tx] : 0.0f;
        right[ty][tx] = (col < N && k + ty < N) ? B[(k + ty) * N + col] : 0.0f;
        group.sync();

        for (int i = 0; i < TL; ++i)
            result += left[ty][i] * right[i][tx];
        block.sync();
    }

    if (row < N && col < N)
        C[row * N + col] = result;
}

LAUNCH(.block = {TL, TL}, .tile = {TL, TL});
