#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE][TILE];
    __shared__ float sB[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float value = 0.0f;
    int phases = (int)ceilf(N / TILE);

    for (int ph = 0; ph < phases; ++ph) {
        int ac = ph * TILE + tx;
        int br = ph * TILE + ty;
        sA[ty][tx] = (row < N && ac < N) ? A[row * N + ac] : 0.0f;
        sB[ty][tx] = (br < N && col < N) ? B[br * N + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            value += sA[ty][i] * sB[i][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
