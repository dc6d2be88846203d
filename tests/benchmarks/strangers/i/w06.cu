#include <lab.h>
#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    __shared__ int tiles, row0, col0;

    // one thread is enough for the things that are the same for all
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        row0 = blockIdx.y * TILE;
        col0 = blockIdx.x * TILE;
        tiles = (N + TILE - 1) / TILE;
    }

    int row = row0 + threadIdx.y;
    int col = col0 + threadIdx.x;
    float sum = 0.0f;

    for (int t = 0; t < tiles; ++t) {
        int ka = t * TILE + threadIdx.x;
        int kb = t * TILE + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
