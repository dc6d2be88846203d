#include <lab.h>

#define TILE 32
#define PAD 1

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE + PAD];
    __shared__ float Bs[TILE][TILE + PAD];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    bool active = tx < TILE;
    float sum = 0;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        if (active) {
            As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0;
            Bs[ty][tx] = (col < N && k0 + ty < N) ? B[(k0 + ty) * N + col] : 0;
        }
        __syncthreads();
        if (active)
            for (int k = 0; k < TILE; k++)
                sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (active && row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE + PAD, TILE}, .tile = {TILE, TILE});
