#include <lab.h>

constexpr int TILE = 16;

// Shared memory version, following the lecture slides
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    const bool inRow = row < N;
    const bool inCol = col < N;

    float value = 0.0f;
    const int phases = (N + TILE - 1) / TILE;

    for (int ph = 0; ph < phases; ++ph) {
        const int ka = ph * TILE + tx;
        const int kb = ph * TILE + ty;

        if (inRow && ka < N)
            tileA[ty][tx] = A[row * N + ka];
        else
            tileA[ty][tx] = 0.0f;

        if (inCol && kb < N)
            tileB[ty][tx] = B[kb * N + col];
        else
            tileB[ty][tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            value += tileA[ty][k] * tileB[k][tx];
        __syncthreads();
    }

    if (inRow || inCol)
        C[row * N + col] = value;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
