// expect: data-race; lines: 21, 27; says: its own copies only
// Every thread copies, but only the first warp waits for the copies, and it waits for its own only.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = Bs[ty][tx] = 0.0f;
        if (row < N && k0 + tx < N)
            __pipeline_memcpy_async(&As[ty][tx], A + row * N + k0 + tx, sizeof(float));
        if (k0 + ty < N && col < N)
            __pipeline_memcpy_async(&Bs[ty][tx], B + (k0 + ty) * N + col, sizeof(float));
        __pipeline_commit();
        if (ty * TILE + tx < 32)
            __pipeline_wait_prior(0);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
