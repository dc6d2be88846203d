// expect: data-race; lines: 16, 19; says: skip the barrier in line 21
// The threads of the last column of a tile do not wait before the tiles are overwritten.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < N; t += TILE) {
        As[ty][tx] = row < N && t + tx < N ? A[row * N + t + tx] : 0.0f;
        Bs[ty][tx] = t + ty < N && col < N ? B[(t + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        if (tx < TILE - 1)
            __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
