// expect: data-race; lines: 18, 21; says: Put a __syncthreads() between line 18 and line 21
// Tiles of the block are shared by all threads, but only groups of 32 wait for each other: tile.sync() for block.sync().
#include <cooperative_groups.h>
#include <lab.h>

namespace cg = cooperative_groups;

#define T 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T], Bs[T][T];
    auto group = cg::tiled_partition<32>(cg::this_thread_block());
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0.0f;
    for (int first = 0; first < N; first += T) {
        As[y][x] = row < N && first + x < N ? A[row * N + first + x] : 0.0f;
        Bs[y][x] = first + y < N && col < N ? B[(first + y) * N + col] : 0.0f;
        group.sync();
        for (int k = 0; k < T; ++k)
            sum += As[y][k] * Bs[k][x];
        group.sync();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {T, T}, .tile = {T, T});
