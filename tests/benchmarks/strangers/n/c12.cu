#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    const int tiles = (N + TILE - 1) / TILE;
    float sum = 0.0f;
    int t = 0;

    while (true) {
        const int k0 = t * TILE;
        As[ty][tx] = 0.0f;
        Bs[ty][tx] = 0.0f;
        if (row < N && k0 + tx < N) As[ty][tx] = A[row * N + k0 + tx];
        if (col < N && k0 + ty < N) Bs[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();
        // no zeros are multiplied in the last, partial tile
        const int len = N - k0 < TILE ? N - k0 : TILE;
        for (int k = 0; k < len; ++k)
            sum += As[ty][k] * Bs[k][tx];
        if (++t == tiles)
            break;               // the same for all threads, and nothing is overwritten any more
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
