// expect: ok
// Copies no byte, but zeros, where a tile reaches beyond the edge: the place from which it would copy is stored to meanwhile.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16

__device__ float counted[TILE * TILE];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        bool has_a = row < N && first + tx < N, has_b = col < N && first + ty < N;
        float *own = &counted[ty * TILE + tx];
        const float *from_a = has_a ? A + row * N + first + tx : own;
        const float *from_b = has_b ? B + (first + ty) * N + col : own;
        __pipeline_memcpy_async(&As[ty][tx], from_a, sizeof(float), has_a ? 0 : sizeof(float));
        __pipeline_memcpy_async(&Bs[ty][tx], from_b, sizeof(float), has_b ? 0 : sizeof(float));
        __pipeline_commit();
        if (blockIdx.x + blockIdx.y == 0)
            *own = first;
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
