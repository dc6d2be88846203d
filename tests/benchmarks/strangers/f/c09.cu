#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 16

// cp.async with two stages. Elements outside are stored as zeros by hand.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[2][TILE][TILE], sB[2][TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    const int tiles = (N + TILE - 1) / TILE;

    auto request = [&](int t) {
        const int s = t % 2, ka = t * TILE + x, kb = t * TILE + y;
        if (row < N && ka < N) __pipeline_memcpy_async(&sA[s][y][x], A + row * N + ka, 4);
        else                   sA[s][y][x] = 0.0f;
        if (kb < N && col < N) __pipeline_memcpy_async(&sB[s][y][x], B + kb * N + col, 4);
        else                   sB[s][y][x] = 0.0f;
    };

    float sum = 0.0f;
    request(0);
    __pipeline_commit();
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) request(t + 1);
        __pipeline_commit();              // may be an empty group
        __pipeline_wait_prior(1);         // all but the newest
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += sA[t % 2][y][k] * sB[t % 2][k][x];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
