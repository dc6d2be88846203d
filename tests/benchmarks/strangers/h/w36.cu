#include <lab.h>

#define TILE 32

extern __shared__ float tiles[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *tileA = tiles;
    float *tileB = tiles + TILE * TILE;

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int local = threadIdx.y * TILE + threadIdx.x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
        tileA[local] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        tileB[local] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += tileA[threadIdx.y * TILE + k] * tileB[k * TILE + threadIdx.x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = 2 * TILE * TILE);
