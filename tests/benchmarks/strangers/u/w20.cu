#include <lab.h>

constexpr int TILE = 32;
using Tile = float[TILE][TILE];

__device__ void load_tile(Tile &dst, const float *src, int n, int r, int c)
{
    float v = 0.0f;
    if (r < n && c < n)
        v = src[r * n + c];
    dst[threadIdx.y][threadIdx.x] = v;
}

__device__ float multiply_tiles(const Tile &x, const Tile &y)
{
    float part = 0.0f;
    for (int k = 0; k < TILE; ++k)
        part += x[threadIdx.y][k] * y[k][threadIdx.x];
    return part;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Tile ta, tb;
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    float value = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        load_tile(ta, A, N, row, k0 + threadIdx.x);
        load_tile(tb, B, N, k0 + threadIdx.y, col);
        value += multiply_tiles(ta, tb);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
