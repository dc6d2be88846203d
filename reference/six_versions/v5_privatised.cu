// V5. Privatised. Combines v3_shared_tiles.cu and v4_coarsened.cu: tiles, and several sums per thread in registers.
//
// A thread computes REG_TILE elements, 2 or 4, in a row of C, BLOCK columns apart. A block therefore computes BLOCK
// rows and BLOCK * REG_TILE columns, as LAUNCH states: a grid for BLOCK x BLOCK would compute every element REG_TILE
// times.
//
// Each element of As that a thread reads from shared memory is used REG_TILE times: 1.25 reads per multiply-add for
// REG_TILE 4 (1.5 for 2) instead of 2. A tile of A is used with REG_TILE tiles of B: with BLOCK 16 and REG_TILE 4,
// each element of A is used 64 times and each element of B 16 times, which is 6.4 FLOP per byte of global memory
// instead of 4.
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
