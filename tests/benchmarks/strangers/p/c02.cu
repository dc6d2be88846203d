#include <lab.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr unsigned kSide = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    auto block = cg::this_thread_block();
    __shared__ float left[kSide][kSide], right[kSide][kSide];

    const dim3 me = block.thread_index();
    const unsigned size = static_cast<unsigned>(N);
    const unsigned row = blockIdx.y * kSide + me.y;
    const unsigned col = blockIdx.x * kSide + me.x;

    float value = 0.0f;
    unsigned k0 = 0;
    while (k0 < size) {
        left[me.y][me.x]  = row < size && k0 + me.x < size ? A[row * size + k0 + me.x] : 0.0f;
        right[me.y][me.x] = col < size && k0 + me.y < size ? B[(k0 + me.y) * size + col] : 0.0f;
        block.sync();
        for (unsigned k = 0; k < kSide; ++k)
            value += left[me.y][k] * right[k][me.x];
        block.sync();
        k0 += kSide;
    }

    if (row < size && col < size)
        C[row * size + col] = value;
}

LAUNCH(.block = {kSide, kSide}, .tile = {kSide, kSide});
