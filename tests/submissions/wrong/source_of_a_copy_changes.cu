// expect: data-race; lines: 30, 33; says: may read its source at any time
// Keeps the sums of the rows of threads in C, copies them to shared memory for the next step, and writes the next sums
// over them before the copies are complete.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE], kept[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    bool inside = row < N && col < N;
    float *own = C + row * N + col;
    if (inside)
        *own = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        As[ty][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0.0f;
        Bs[ty][tx] = col < N && first + ty < N ? B[(first + ty) * N + col] : 0.0f;
        kept[ty][tx] = 0.0f;
        __syncthreads();
        float sum = 0.0f;
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        if (inside) {
            // The sum of the steps before: the copy goes on while this thread adds.
            float before = *own;
            __pipeline_memcpy_async(&kept[ty][tx], own, sizeof(float));
            __pipeline_commit();
            sum += before;
            *own = sum;
            __pipeline_wait_prior(0);
        }
        __syncthreads();
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
