// expect: data-race; lines: 21, 22; says: copies to it
// Both tiles are in one array, and B's begins in the middle of A's: copies of different warps have one target.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tiles[2 * TILE * TILE];
    float *As = tiles, *Bs = tiles + TILE * TILE / 2;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int here = ty * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        int k = first + tx, l = first + ty;
        size_t no_a = row < N && k < N ? 0 : sizeof(float);
        size_t no_b = l < N && col < N ? 0 : sizeof(float);
        __pipeline_memcpy_async(&As[here], no_a ? A : &A[row * N + k], sizeof(float), no_a);
        __pipeline_memcpy_async(&Bs[here], no_b ? B : &B[l * N + col], sizeof(float), no_b);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += As[ty * TILE + i] * Bs[i * TILE + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
