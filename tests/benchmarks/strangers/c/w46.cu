#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16

// cp.async, two stages
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    const int tiles = (N + TILE - 1) / TILE;

    auto load = [&](int t) {
        int kx = t * TILE + tx, ky = t * TILE + ty;
        if (row < N && kx < N)
            __pipeline_memcpy_async(&As[t & 1][ty][tx], &A[row * N + kx], 4);
        else
            As[t & 1][ty][tx] = 0.0f;
        if (ky < N && col < N)
            __pipeline_memcpy_async(&Bs[t & 1][ty][tx], &B[ky * N + col], 4);
        else
            Bs[t & 1][ty][tx] = 0.0f;
        __pipeline_commit();
    };

    float acc = 0.0f;
    load(0);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles)
            load(t + 1);
        __pipeline_wait_prior(1);  // the newest group may still be in flight
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += As[t & 1][ty][k] * Bs[t & 1][k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
