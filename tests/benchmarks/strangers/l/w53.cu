#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        if (row < N && k0 + tx < N)
            __pipeline_memcpy_async(&a[ty][tx], &A[row * N + k0 + tx], sizeof(float));
        else
            a[ty][tx] = 0.0f;
        if (col < N && k0 + ty < N)
            __pipeline_memcpy_async(&b[ty][tx], &B[(k0 + ty) * N + col], sizeof(float));
        else
            b[ty][tx] = 0.0f;
        __pipeline_commit();
        __pipeline_wait_prior(0);

        for (int k = 0; k < TILE; ++k)
            acc += a[ty][k] * b[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
