#include <lab.h>

#define TILE 32

struct Where {
    int row, col;     // element of this thread
    int x, y;         // position in the tile
};

__device__ __forceinline__ Where whereAmI()
{
    Where w;
    w.x = threadIdx.x;
    w.y = threadIdx.y;
    w.row = blockIdx.y * TILE + w.y;
    w.col = blockIdx.x * TILE + w.x;
    return w;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const Where w = whereAmI();
    if (w.row >= N || w.col >= N)
        return;

    float sum = 0.0f;
    for (int t = 0; t < (N + TILE - 1) / TILE; ++t) {
        int ka = t * TILE + w.x;
        int kb = t * TILE + w.y;
        As[w.y][w.x] = ka < N ? A[w.row * N + ka] : 0.0f;
        Bs[w.y][w.x] = kb < N ? B[kb * N + w.col] : 0.0f;
        __syncthreads();

        int kmax = min(TILE, N - t * TILE);
        for (int k = 0; k < kmax; ++k)
            sum += As[w.y][k] * Bs[k][w.x];
        __syncthreads();
    }
    C[w.row * N + w.col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
