#include <lab.h>
#define TILE 16
// pointer version of the tiled kernel: pA and pB move from tile to tile

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    const float *pA = A + row * N + tx;
    const float *pB = B + ty * N + col;
    float c = 0.0f;

    for (int left = N; left > 0; left -= TILE)
    {
        As[ty][tx] = (row < N && tx < left) ? *pA : 0.0f;
        Bs[ty][tx] = (col < N && ty < left) ? *pB : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            c += As[ty][k] * Bs[k][tx];
        __syncthreads();

        pA += TILE;
        pB += TILE;
    }

    if (row < N && col < N)
        C[row * N + col] = c;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
