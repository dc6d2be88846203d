// Asynchronous copies (cp.async), two stages
#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 32
#define ROWSTEP 8

__device__ void copy_tile(float (*dst)[TILE], const float *src, int r0, int c0, int N)
{
    for (int i = threadIdx.y; i < TILE; i += ROWSTEP) {
        int r = r0 + i, c = c0 + threadIdx.x;
        if (r < N && c < N)
            __pipeline_memcpy_async(&dst[i][threadIdx.x], src + r * N + c, sizeof(float));
        else
            dst[i][threadIdx.x] = 0.0f;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];

    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    int tiles = (N + TILE - 1) / TILE;
    float acc[TILE / ROWSTEP] = {};

    copy_tile(As[0], A, row0, 0, N);
    copy_tile(Bs[0], B, 0, col0, N);
    __pipeline_commit();

    for (int t = 0; t < tiles; ++t) {
        int s = t & 1;
        if (t + 1 < tiles) {
            copy_tile(As[s ^ 1], A, row0, (t + 1) * TILE, N);
            copy_tile(Bs[s ^ 1], B, (t + 1) * TILE, col0, N);
            __pipeline_commit();
        }
        // the newest copy may still be in flight
        __pipeline_wait_prior(1);
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            float b = Bs[s][k][threadIdx.x];
            #pragma unroll
            for (int i = 0; i < TILE / ROWSTEP; ++i)
                acc[i] += As[s][threadIdx.y + i * ROWSTEP][k] * b;
        }
        __syncthreads();
    }

    int col = col0 + threadIdx.x;
    for (int i = 0; i < TILE / ROWSTEP; ++i) {
        int row = row0 + threadIdx.y + i * ROWSTEP;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {TILE, ROWSTEP}, .tile = {TILE, TILE});
