#include <lab.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    cg::thread_block block = cg::this_thread_block();
    auto half = cg::tiled_partition<16>(block);   // one row of the tile
    __shared__ float Bs[TILE][TILE];
    int tx = half.thread_rank(), ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        float a = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty][tx] = k0 + ty < N && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        block.sync();
        for (int k = 0; k < TILE; k++)
            sum += half.shfl(a, k) * Bs[k][tx];
        block.sync();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
