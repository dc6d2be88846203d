// expect: data-race; lines: 11, 35; says: barrier does not wait
// Never waits for the asynchronous copies: a barrier does not.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 16

__device__ void copy(float *to, const float *matrix, int row, int col, int N)
{
    if (row < N && col < N)
        __pipeline_memcpy_async(to, matrix + row * N + col, sizeof(float));
    else
        *to = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int steps = (N + TILE - 1) / TILE;

    copy(&As[0][ty][tx], A, row, tx, N);
    copy(&Bs[0][ty][tx], B, ty, col, N);
    __pipeline_commit();
    float sum = 0.0f;
    for (int step = 0; step < steps; ++step) {
        int now = step % 2, next = (step + 1) * TILE;
        copy(&As[1 - now][ty][tx], A, row, next + tx, N);
        copy(&Bs[1 - now][ty][tx], B, next + ty, col, N);
        __pipeline_commit();
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[now][ty][k] * Bs[now][k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
