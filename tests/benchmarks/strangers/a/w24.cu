#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 32
#define STEP 8

// copy one float from global to shared memory without going through a register; 0 outside of the matrix
__device__ __forceinline__ void copyAsync(float *dst, const float *src, int r, int c, int N)
{
    bool ok = r < N && c < N;
    const float *from = ok ? src + r * N + c : src;
    __pipeline_memcpy_async(dst, from, sizeof(float), ok ? 0 : sizeof(float));
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[TILE][TILE];
    __shared__ float sb[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;

    float sum[TILE / STEP] = {};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        for (int y = ty; y < TILE; y += STEP) {
            copyAsync(&sa[y][tx], A, r0 + y, k0 + tx, N);
            copyAsync(&sb[y][tx], B, k0 + y, c0 + tx, N);
        }
        __pipeline_commit();
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            for (int i = 0; i < TILE / STEP; ++i)
                sum[i] += sa[ty + i * STEP][k] * sb[k][tx];
        __syncthreads();
    }

    for (int i = 0; i < TILE / STEP; ++i) {
        int r = r0 + ty + i * STEP, c = c0 + tx;
        if (r < N && c < N)
            C[r * N + c] = sum[i];
    }
}

LAUNCH(.block = {TILE, STEP}, .tile = {TILE, TILE});
