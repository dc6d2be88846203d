#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    unsigned tx = threadIdx.x, ty = threadIdx.y;
    unsigned row = blockIdx.y * TILE + ty;
    unsigned col = blockIdx.x * TILE + tx;
    unsigned n = N;

    float sum = 0.0f;
    for (unsigned k0 = 0; k0 < n; k0 += TILE) {
        // asynchronous copies global -> shared, elements outside are set directly
        if (row < n && k0 + tx < n)
            __pipeline_memcpy_async(&As[ty][tx], &A[row * n + k0 + tx], sizeof(float));
        else
            As[ty][tx] = 0.0f;
        if (k0 + ty < n && col < n)
            __pipeline_memcpy_async(&Bs[ty][tx], &B[(k0 + ty) * n + col], sizeof(float));
        else
            Bs[ty][tx] = 0.0f;
        __pipeline_commit();
        __pipeline_wait_prior(0);

        for (int k = 0; k < TILE; k++)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < n && col < n)
        C[row * n + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
