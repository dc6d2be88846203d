// V5. Privatised. What it adds over v4_coarsened.cu: the tiles of v3_shared_tiles.cu, under private sums in registers.
//
// A thread keeps REG_TILE sums, 2 or 4, for elements of one row of C that lie BLOCK columns apart. So a block computes
// BLOCK rows and BLOCK * REG_TILE columns, and LAUNCH says so: a grid made for BLOCK x BLOCK would compute every column
// REG_TILE times over, right but REG_TILE times slower.
//
// An element of As that was read from shared memory is now used REG_TILE times: 1.25 reads per multiply-add for 4 (1.5
// for 2) instead of 2. And a tile of A serves REG_TILE tiles of B: for BLOCK 16 and REG_TILE 4 every element of A is
// used 64 times and every element of B 16 times, 6.4 flops per byte of global memory instead of 4.
#include <lab.h>

#ifndef BLOCK
#define BLOCK 16
#endif
#ifndef REG_TILE
#define REG_TILE 4
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BLOCK][BLOCK];
    __shared__ float Bs[BLOCK][BLOCK * REG_TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK + ty;
    const int col0 = blockIdx.x * BLOCK * REG_TILE + tx;

    float sum[REG_TILE] = {};
    for (int first = 0; first < N; first += BLOCK) {
        As[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0.0f;
#pragma unroll
        for (int r = 0; r < REG_TILE; ++r) {
            const int col = col0 + r * BLOCK;
            Bs[ty][tx + r * BLOCK] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0.0f;
        }
        __syncthreads();

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
