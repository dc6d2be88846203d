// expect: ok
// Copies zeros into the tile, waits for them, and then copies the elements.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16

__device__ void copy(float *to, const float *matrix, int row, int col, int N)
{
    // A copy of four bytes of which four are left out writes zeros.
    // That takes no branch for the elements beyond the edge.
    __pipeline_memcpy_async(to, matrix, sizeof(float), sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (row < N && col < N)
        __pipeline_memcpy_async(to, matrix + row * N + col, sizeof(float));
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        copy(&As[ty][tx], A, row, first + tx, N);
        copy(&Bs[ty][tx], B, first + ty, col, N);
        __pipeline_commit();
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
