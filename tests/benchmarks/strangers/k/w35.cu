#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE][TILE];
    __shared__ float sB[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float r = 0.0f;

    for (int t = 0; t < N; t += TILE) {
        if (row < N && t + tx < N)
            __pipeline_memcpy_async(&sA[ty][tx], &A[row * N + t + tx], sizeof(float));
        else
            sA[ty][tx] = 0.0f;
        if (col < N && t + ty < N)
            __pipeline_memcpy_async(&sB[ty][tx], &B[(t + ty) * N + col], sizeof(float));
        else
            sB[ty][tx] = 0.0f;
        __pipeline_commit();
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            r += sA[ty][k] * sB[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = r;
}

LAUNCH(.block = {TILE, TILE});
