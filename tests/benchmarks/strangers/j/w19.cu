#include <lab.h>
#define TILE 16

__device__ float loadOrZero(const float *X, int r, int c, int N)
{
    return (r < N && c < N) ? X[r * N + c] : 0.f;
}

// Double buffering: while a tile is used, the next one is loaded. One barrier per tile.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    const int tiles = (N + TILE - 1) / TILE;

    As[0][ty][tx] = loadOrZero(A, row, tx, N);
    Bs[0][ty][tx] = loadOrZero(B, ty, col, N);
    __syncthreads();

    float acc = 0.f;
    for (int t = 0; t < tiles; ++t) {
        const int cur = t & 1, nxt = cur ^ 1;
        if (t + 1 < tiles) {
            As[nxt][ty][tx] = loadOrZero(A, row, (t + 1) * TILE + tx, N);
            Bs[cur][ty][tx] = loadOrZero(B, (t + 1) * TILE + ty, col, N);
        }
        #pragma unroll
        for (int k = 0; k < TILE; ++k)
            acc += As[cur][ty][k] * Bs[cur][k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
