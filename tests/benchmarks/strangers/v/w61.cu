#include <lab.h>

// Persistent blocks: few blocks, each draws the next tile from a queue (dynamic load balance,
// like a thread pool with an AtomicInteger).
#define TILE 16

__device__ unsigned int nextTile = 0;

__device__ void processTile(const float *A, const float *B, float *C, int N, int tileRow, int tileCol)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    int r = tileRow * TILE + threadIdx.y;
    int c = tileCol * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        a[threadIdx.y][threadIdx.x] = r < N && ka < N ? A[r * N + ka] : 0.0f;
        b[threadIdx.y][threadIdx.x] = c < N && kb < N ? B[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = sum;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ unsigned int job;
    const unsigned int tilesPerRow = (N + TILE - 1) / TILE;
    const unsigned int numTiles = tilesPerRow * tilesPerRow;

    while (true) {
        if (threadIdx.x == 0 && threadIdx.y == 0)
            job = atomicAdd(&nextTile, 1u);
        __syncthreads();
        const unsigned int mine = job;
        __syncthreads();
        if (mine >= numTiles)
            break;
        processTile(A, B, C, N, mine / tilesPerRow, mine % tilesPerRow);
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {4 * TILE, 4 * TILE});
