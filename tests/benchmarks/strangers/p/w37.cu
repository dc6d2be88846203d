#include <lab.h>

#define TILE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Atile[TILE][TILE];
    __shared__ float Btile[TILE][TILE];

    const unsigned x = threadIdx.x, y = threadIdx.y, n = N;
    const unsigned col = blockIdx.x * TILE + x;
    const unsigned row = blockIdx.y * TILE + y;
    float r = 0.0f;

    for (unsigned off = 0; off < n; off += TILE) {
        Atile[y][x] = row < n && off + x < n ? A[row * n + off + x] : 0.0f;
        Btile[y][x] = col < n && off + y < n ? B[(off + y) * n + col] : 0.0f;
        __syncthreads();
        for (unsigned k = 0; k < TILE; ++k)
            r += Atile[y][k] * Btile[k][x];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = r;
}

LAUNCH(.block = {16, 16}, .tile = {TILE, TILE});
