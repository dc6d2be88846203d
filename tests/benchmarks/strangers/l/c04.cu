// Asynchronous copies in two stages. The last argument fills the element with zeros instead of reading it.
#include <cuda_pipeline.h>
#include <lab.h>

#define TILE 32
#define ROWS_AT_ONCE 8

struct Stage
{
    float a[TILE][TILE];
    float b[TILE][TILE];
};

__device__ void copy(float *to, const float *m, int n, int r, int c)
{
    const bool inside = r < n && c < n;
    __pipeline_memcpy_async(to, inside ? m + r * n + c : m, 4, inside ? 0 : 4);
}

__device__ void issue(Stage &s, const float *A, const float *B, int n, int k0)
{
    for (int y = threadIdx.y; y < TILE; y += ROWS_AT_ONCE) {
        copy(&s.a[y][threadIdx.x], A, n, blockIdx.y * TILE + y, k0 + threadIdx.x);
        copy(&s.b[y][threadIdx.x], B, n, k0 + y, blockIdx.x * TILE + threadIdx.x);
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Stage stages[2];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int steps = (N + TILE - 1) / TILE;
    float acc[TILE / ROWS_AT_ONCE] = {};

    issue(stages[0], A, B, N, 0);
    __pipeline_commit();
    for (int s = 0; s < steps; ++s) {
        if (s + 1 < steps)
            issue(stages[(s + 1) & 1], A, B, N, (s + 1) * TILE);
        __pipeline_commit();  // possibly empty
        __pipeline_wait_prior(1);
        __syncthreads();

        const Stage &now = stages[s & 1];
        for (int k = 0; k < TILE; ++k)
            for (int i = 0; i < TILE / ROWS_AT_ONCE; ++i)
                acc[i] += now.a[ty + i * ROWS_AT_ONCE][k] * now.b[k][tx];
        __syncthreads();
    }

    const int col = blockIdx.x * TILE + tx;
    for (int i = 0; i < TILE / ROWS_AT_ONCE; ++i) {
        const int row = blockIdx.y * TILE + ty + i * ROWS_AT_ONCE;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {TILE, ROWS_AT_ONCE}, .tile = {TILE, TILE});
