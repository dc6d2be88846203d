#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int numTiles = (N + TILE - 1) / TILE;

    for (int t = 0; t < numTiles; ++t) {
        int ka = t * TILE + tx;
        int kb = t * TILE + ty;
        tileA[ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        tileB[ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();

        float sum = 0.0f;
        for (int k = 0; k < TILE; ++k)
            sum += tileA[ty][k] * tileB[k][tx];
        if (row < N && col < N)
            C[row * N + col] = sum;
        __syncthreads();
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
