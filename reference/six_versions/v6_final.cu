// V6. Final. Adds prefetching, padding and pointers declared not to alias (__restrict__) to v5_privatised.cu.
//
// Prefetching: the loads of the next tiles start before the products of the current ones. The values wait in
// registers until the shared tiles may be overwritten, so the block computes during the latency of the loads. This
// takes 1 + REG_TILE registers per thread.
//
// Padding: one unused element per row puts the elements of a column into different banks of shared memory, which
// helps kernels that read down a column. This kernel reads along rows, so padding does not help, and it misaligns the
// rows for 128-bit reads. -DPADDING=0 shows what it costs.
//
// The traffic is that of V5: 6.4 FLOP per byte for BLOCK 16 and REG_TILE 4.
#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif
#ifndef REG_TILE
#define REG_TILE 4
#endif
#ifndef PADDING
#define PADDING 1
#endif

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int N)
{
    __shared__ float As[BLOCK][BLOCK + PADDING];
    __shared__ float Bs[BLOCK][BLOCK * REG_TILE + PADDING];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK + ty;
    const int col0 = blockIdx.x * BLOCK * REG_TILE + tx;

    float next_a = 0.0f;
    float next_b[REG_TILE] = {};
    const auto prefetch = [&](int first) {
        next_a = row < N && first + tx < N ? A[row * N + first + tx] : 0.0f;
#pragma unroll
        for (int r = 0; r < REG_TILE; ++r) {
            const int col = col0 + r * BLOCK;
            next_b[r] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0.0f;
        }
    };

    float sum[REG_TILE] = {};
    prefetch(0);
    for (int first = 0; first < N; first += BLOCK) {
        As[ty][tx] = next_a;
#pragma unroll
        for (int r = 0; r < REG_TILE; ++r)
            Bs[ty][tx + r * BLOCK] = next_b[r];
        __syncthreads();

        prefetch(first + BLOCK);  // used in the next step; past the end they are zeros
#pragma unroll
        for (int k = 0; k < BLOCK; ++k) {
            const float a = As[ty][k];
#pragma unroll
            for (int r = 0; r < REG_TILE; ++r)
                sum[r] += a * Bs[k][tx + r * BLOCK];
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < REG_TILE; ++r) {
        const int col = col0 + r * BLOCK;
        if (row < N && col < N)
            C[row * N + col] = sum[r];
    }
}

LAUNCH(.block = {BLOCK, BLOCK}, .tile = {BLOCK * REG_TILE, BLOCK});
