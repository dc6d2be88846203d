#include <lab.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);

    __shared__ float sa[DIM][DIM];
    __shared__ float sb[DIM][DIM];

    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int col = blockIdx.x * DIM + x;
    const int row = blockIdx.y * DIM + y;
    float r = 0.0f;

    for (int k0 = 0; k0 < N; k0 += DIM)
    {
        sa[y][x] = (row < N && k0 + x < N) ? A[row * N + k0 + x] : 0.0f;
        sb[y][x] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.0f;
        warp.sync();  // tiles complete
        for (int k = 0; k < DIM; ++k)
            r += sa[y][k] * sb[k][x];
        block.sync();
    }
    if (row < N && col < N)
        C[row * N + col] = r;
}

LAUNCH(.block = {DIM, DIM}, .tile = {DIM, DIM});
