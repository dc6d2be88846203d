#include <lab.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define WARP 32
#define ELEMS 8   // elements per block

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    auto block = cg::this_thread_block();
    auto team = cg::tiled_partition<16>(block);

    const int element = threadIdx.y;
    const int row = blockIdx.y * ELEMS + element;
    const int col = blockIdx.x;

    float products = 0.0f;
    if (row < N) {
        for (int k = threadIdx.x; k < N; k += WARP)
            products += A[row * N + k] * B[k * N + col];
    }

    const float total = cg::reduce(team, products, cg::plus<float>());

    if (threadIdx.x == 0 && row < N)
        C[row * N + col] = total;
}

LAUNCH(.block = {WARP, ELEMS}, .tile = {1, ELEMS});
