#include <lab.h>

// fewer blocks than tiles: each block works through several tiles of 16x16
#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE + 1], Bs[TILE][TILE + 1];
    const int perSide = (N + TILE - 1) / TILE;
    const int nTiles = perSide * perSide;
    const int nBlocks = gridDim.x * gridDim.y;
    const int tx = threadIdx.x, ty = threadIdx.y;

    float acc = 0.0f;
    for (int tile = blockIdx.y * gridDim.x + blockIdx.x; tile < nTiles; tile += nBlocks) {
        const int row = tile / perSide * TILE + ty;
        const int col = tile % perSide * TILE + tx;

        for (int p = 0; p < perSide; p++) {
            const int ka = p * TILE + tx, kb = p * TILE + ty;
            As[ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
            Bs[ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
            __syncthreads();
            for (int k = 0; k < TILE; k++)
                acc += As[ty][k] * Bs[k][tx];
            __syncthreads();
        }
        if (row < N && col < N)
            C[row * N + col] = acc;
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {4 * TILE, 4 * TILE});
