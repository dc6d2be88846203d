// expect: ok
// Copies the elements inside A, while other threads set those outside to zero: each element has one writer.
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
    for (int first = 0; first < N; first += TILE) {
        int k = first + tx, l = first + ty;
        Bs[ty][tx] = l < N && col < N ? B[l * N + col] : 0.0f;
        if (blockIdx.y * TILE + tx >= N || l >= N)
            As[tx][ty] = 0.0f;
        if (row < N && k < N)
            __pipeline_memcpy_async(&As[ty][tx], &A[row * N + k], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += As[ty][i] * Bs[i][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
