#include <lab.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// A warp computes one element of C: the lanes share the dot product and reduce it.
// 8 warps per block -> 8 rows of one column... the column of B is strided, but L1 helps
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    cg::thread_block cta = cg::this_thread_block();
    auto warp = cg::tiled_partition<16>(cta);

    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x;
    if (row >= N) return;

    float x = 0.0f;
    for (int k = threadIdx.x; k < N; k += 32)
        x += A[row * N + k] * B[k * N + col];

    for (int d = warp.size() / 2; d > 0; d /= 2)
        x += warp.shfl_down(x, d);

    if (threadIdx.x == 0)
        C[row * N + col] = x;
}

LAUNCH(.block = {32, 8}, .tile = {1, 8});
