#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;
    float c = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        // asynchronous copy global -> shared, does not go through registers
        if (row < N && k0 + x < N)
            __pipeline_memcpy_async(&As[y][x], &A[row * N + k0 + x], sizeof(float));
        else
            As[y][x] = 0.0f;
        if (k0 + y < N && col < N)
            __pipeline_memcpy_async(&Bs[y][x], &B[(k0 + y) * N + col], sizeof(float));
        else
            Bs[y][x] = 0.0f;
        __pipeline_commit();
        __pipeline_wait_prior(0);      // wait until the tile is there

        for (int k = 0; k < TILE; k++)
            c += As[y][k] * Bs[k][x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = c;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
