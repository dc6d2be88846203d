#include <lab.h>

#define TILE 16

__device__ float dot(const float (&a)[TILE][TILE], const float (&b)[TILE][TILE])
{
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < TILE; ++k)
        s += a[threadIdx.y][k] * b[k][threadIdx.x];
    return s;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    int tiles = (N + TILE - 1) / TILE;
    float acc = 0.0f;

    // iteration t loads tile t and computes tile t - 1
    for (int t = 0; t < tiles; ++t) {
        if (t < tiles) {
            int kx = t * TILE + tx, ky = t * TILE + ty;
            As[t & 1][ty][tx] = row < N && kx < N ? A[row * N + kx] : 0.0f;
            Bs[t & 1][ty][tx] = ky < N && col < N ? B[ky * N + col] : 0.0f;
        }
        if (t > 0)
            acc += dot(As[(t - 1) & 1], Bs[(t - 1) & 1]);
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
