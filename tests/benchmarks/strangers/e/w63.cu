#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 16
#define STAGES 3

struct Smem {
    float a[STAGES][TILE][TILE];
    float b[STAGES][TILE][TILE];
};

__device__ void issue(Smem &s, int t, const float *A, const float *B, int row, int col, int N)
{
    int x = threadIdx.x, y = threadIdx.y, slot = t % STAGES;
    int ka = t * TILE + x, kb = t * TILE + y;
    if (row < N && ka < N)
        __pipeline_memcpy_async(&s.a[slot][y][x], &A[row * N + ka], 4);
    else
        s.a[slot][y][x] = 0.0f;
    if (kb < N && col < N)
        __pipeline_memcpy_async(&s.b[slot][y][x], &B[kb * N + col], 4);
    else
        s.b[slot][y][x] = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Smem s;
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int tiles = (N + TILE - 1) / TILE;

    for (int t = 0; t < STAGES - 1; t++) {
        issue(s, t, A, B, row, col, N);
        __pipeline_commit();
    }

    float sum = 0.0f;
    for (int t = 0; t < tiles; t++) {
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        issue(s, t + STAGES - 1, A, B, row, col, N);
        __pipeline_commit();

        int slot = t % STAGES;
        for (int k = 0; k < TILE; k++)
            sum += s.a[slot][threadIdx.y][k] * s.b[slot][k][threadIdx.x];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
