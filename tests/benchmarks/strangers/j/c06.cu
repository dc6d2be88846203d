#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

// Sixteen threads add up each dot product together. The result of column j stays with thread j, so that the group writes
// its sixteen results side by side.
template <class Group>
__device__ float addUp(const Group &g, float v)
{
    for (int m = g.size() / 2; m > 0; m /= 2)
        v += g.shfl_xor(v, m);
    return v;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const auto group = cg::tiled_partition<16>(cg::this_thread_block());
    const int rank = group.thread_rank();
    const int row = blockIdx.y * 8 + threadIdx.x / 16;
    if (row >= N)
        return;   // all sixteen together; there is no barrier for the block below

    float result = 0.0f;
    for (int j = 0; j < 16; ++j) {
        const int col = blockIdx.x * 16 + j;
        float p = 0.0f;
        if (col < N)
            for (int k = rank; k < N; k += 16)
                p += A[row * N + k] * B[k * N + col];
        const float total = addUp(group, p);
        if (rank == j)
            result = total;
    }
    const int col = blockIdx.x * 16 + rank;
    if (col < N)
        C[row * N + col] = result;
}

LAUNCH(.block = {128}, .tile = {16, 8});
