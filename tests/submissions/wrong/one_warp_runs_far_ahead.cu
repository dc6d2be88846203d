// expect: data-race; lines: 22, 29; says: Put a __syncthreads() between line 22 and line 29
// Each thread computes 8 x 8 elements of C, and the warps of a block wait for their own lanes only. The first warp
// makes tens of thousands of accesses before the next one begins.
#include <lab.h>

#define TILE 128
#define STEP 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[STEP][TILE], Bs[STEP][TILE];
    const volatile float *as = &As[0][threadIdx.y], *bs = &Bs[0][threadIdx.x];
    int thread = threadIdx.y * 16 + threadIdx.x;
    int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    float sums[8][8] = {};
    for (int first = 0; first < N; first += STEP) {
        for (int i = thread; i < STEP * TILE; i += 256) {
            int k = first + i / TILE;
            int row = top + i % TILE, col = left + i % TILE;
            float a = row < N && k < N ? A[row * N + k] : 0.0f;
            float b = col < N && k < N ? B[k * N + col] : 0.0f;
            As[i / TILE][i % TILE] = a;
            Bs[i / TILE][i % TILE] = b;
        }
        __syncwarp();
        for (int k = 0; k < STEP; ++k)
            for (int y = 0; y < 8; ++y)
                for (int x = 0; x < 8; ++x)
                    sums[y][x] += as[k * TILE + y * 16] * bs[k * TILE + x * 16];
        __syncwarp();
    }
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
            int row = top + y * 16 + threadIdx.y, col = left + x * 16 + threadIdx.x;
            if (row < N && col < N)
                C[row * N + col] = sums[y][x];
        }
}

LAUNCH(.block = {16, 16}, .tile = {TILE, TILE});
