#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;

    auto prefetch = [&](int buf, int k0) {
        if (row < N && k0 + x < N)
            __pipeline_memcpy_async(&As[buf][y][x], A + row * N + k0 + x, sizeof(float));
        // rows of B below the matrix: any row will do, clamp
        int k = min(k0 + y, N - 1);
        if (col < N)
            __pipeline_memcpy_async(&Bs[buf][y][x], B + k * N + col, sizeof(float));
        else
            Bs[buf][y][x] = 0.0f;
        __pipeline_commit();
    };

    prefetch(0, 0);
    float acc = 0.0f;
    int buf = 0;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (k0 + TILE < N)
            prefetch(buf ^ 1, k0 + TILE);
        for (int k = 0; k < TILE; k++)
            acc += As[buf][y][k] * Bs[buf][k][x];
        buf ^= 1;
    }

    if (row < N && col < N) C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
