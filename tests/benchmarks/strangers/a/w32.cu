#include <lab.h>

#define TILE 32
#define LOADERS 8    // warps that copy
#define WORKERS 8    // warps that multiply
#define PER (TILE / WORKERS)

__shared__ float tileA[TILE][TILE];
__shared__ float tileB[TILE][TILE];

__device__ void producer(const float *A, const float *B, int r0, int c0, int N)
{
    int lane = threadIdx.x, warp = threadIdx.y;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        for (int y = warp; y < TILE; y += LOADERS) {
            tileA[y][lane] = (r0 + y < N && k0 + lane < N) ? A[(r0 + y) * N + k0 + lane] : 0.0f;
            tileB[y][lane] = (k0 + y < N && c0 + lane < N) ? B[(k0 + y) * N + c0 + lane] : 0.0f;
        }
        __syncthreads();   // tile is full
        __syncthreads();   // tile is used
    }
}

__device__ void consumer(float *C, int r0, int c0, int N)
{
    int lane = threadIdx.x, warp = threadIdx.y - LOADERS;
    float acc[PER] = {};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        __syncthreads();   // tile is full
        for (int k = 0; k < TILE; ++k)
            for (int i = 0; i < PER; ++i)
                acc[i] += tileA[warp + i * WORKERS][k] * tileB[k][lane];
    }

    for (int i = 0; i < PER; ++i) {
        int r = r0 + warp + i * WORKERS;
        if (r < N && c0 + lane < N)
            C[r * N + c0 + lane] = acc[i];
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
    if (threadIdx.y < LOADERS)
        producer(A, B, r0, c0, N);
    else
        consumer(C, r0, c0, N);
}

LAUNCH(.block = {TILE, LOADERS + WORKERS}, .tile = {TILE, TILE});
