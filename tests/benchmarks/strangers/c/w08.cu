#include <lab.h>

constexpr int TILE = 16;

struct Acc {
    float v[4];
};

__device__ void step(Acc acc, float a, const float *brow)
{
#pragma unroll
    for (int j = 0; j < 4; ++j)
        acc.v[j] += a * brow[j * TILE];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][4 * TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col0 = blockIdx.x * 4 * TILE + tx;
    Acc acc = {{0, 0, 0, 0}};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0;
        for (int j = 0; j < 4; ++j) {
            int c = col0 + j * TILE;
            Bs[ty][tx + j * TILE] = k0 + ty < N && c < N ? B[(k0 + ty) * N + c] : 0;
        }
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            step(acc, As[ty][k], &Bs[k][tx]);
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j)
        if (row < N && col0 + j * TILE < N)
            C[row * N + col0 + j * TILE] = acc.v[j];
}

LAUNCH(.block = {TILE, TILE}, .tile = {4 * TILE, TILE});
