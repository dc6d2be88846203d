#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16

// Tiles are copied to shared memory asynchronously, one tile ahead.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    const int tiles = (N + TILE - 1) / TILE;

    auto start = [&](int t, int s) {
        const int ka = t * TILE + tx, kb = t * TILE + ty;
        if (row < N && ka < N)
            __pipeline_memcpy_async(&As[s][ty][tx], &A[row * N + ka], sizeof(float));
        else
            As[s][ty][tx] = 0.0f;
        if (kb < N && col < N)
            __pipeline_memcpy_async(&Bs[s][ty][tx], &B[kb * N + col], sizeof(float));
        else
            Bs[s][ty][tx] = 0.0f;
        __pipeline_commit();
    };

    start(0, 0);
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
        const int s = t % 2;
        if (t + 1 < tiles)
            start(t + 1, s ^ 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[s][ty][k] * Bs[s][k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
