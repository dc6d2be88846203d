// expect: data-race; lines: 20; says: of the same warp, and nothing
// Rotates each row of A's tile by its number, but over 15 elements instead of 16: two lanes of one copy have one target.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16
#define ROTATED(i) ((ty + (i)) % (TILE - 1))

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        int k = first + tx, l = first + ty;
        size_t no_a = row < N && k < N ? 0 : sizeof(float);
        size_t no_b = l < N && col < N ? 0 : sizeof(float);
        __pipeline_memcpy_async(&As[ty][ROTATED(tx)], no_a ? A : &A[row * N + k], sizeof(float), no_a);
        __pipeline_memcpy_async(&Bs[ty][tx], no_b ? B : &B[l * N + col], sizeof(float), no_b);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += As[ty][ROTATED(i)] * Bs[i][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
