#include <lab.h>

// Two warps (the producers) only load, eight warps (the consumers) only multiply. There are two buffers; barriers 1 and 2
// say that a buffer is full, barriers 3 and 4 that it is free again.
#define TILE 16
#define CONSUMERS (TILE * TILE)
#define PRODUCERS 64
#define EVERYBODY (CONSUMERS + PRODUCERS)

__device__ __forceinline__ void wait_at(int id)
{
    asm volatile("bar.sync %0, %1;" :: "r"(id), "n"(EVERYBODY) : "memory");
}

__device__ __forceinline__ void arrive_at(int id)
{
    __threadfence_block();
    asm volatile("bar.arrive %0, %1;" :: "r"(id), "n"(EVERYBODY) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[2][TILE][TILE];
    __shared__ float b[2][TILE][TILE];

    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    const int tiles = (N + TILE - 1) / TILE;

    if (threadIdx.x >= CONSUMERS) {
        const int p = threadIdx.x - CONSUMERS;
        for (int t = 0; t < tiles; ++t) {
            const int s = t & 1;
            if (t >= 2)
                wait_at(3 + s);
            for (int e = p; e < TILE * TILE; e += PRODUCERS) {
                const int i = e / TILE, j = e % TILE, k0 = t * TILE;
                a[s][i][j] = row0 + i < N && k0 + j < N ? A[(row0 + i) * N + k0 + j] : 0.0f;
                b[s][i][j] = k0 + i < N && col0 + j < N ? B[(k0 + i) * N + col0 + j] : 0.0f;
            }
            arrive_at(1 + s);
        }
    } else {
        const int y = threadIdx.x / TILE, x = threadIdx.x % TILE;
        float sum = 0.0f;
        for (int t = 0; t < tiles; ++t) {
            const int s = t & 1;
            wait_at(1 + s);
            for (int k = 0; k < TILE; ++k)
                sum += a[s][y][k] * b[s][k][x];
            if (t + 2 < tiles)      // nobody waits for the last two
                arrive_at(3 + s);
        }
        if (row0 + y < N && col0 + x < N)
            C[(row0 + y) * N + col0 + x] = sum;
    }
}

LAUNCH(.block = {EVERYBODY}, .tile = {TILE, TILE});
