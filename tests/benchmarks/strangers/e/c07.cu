#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 32
#define DEPTH 3

// three-stage cp.async pipeline, zero fill at the edges (last argument = bytes to zero)
__device__ void stage(float (*sa)[TILE], float (*sb)[TILE], const float *A, const float *B, int k0, int N)
{
    int tx = threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += 8) {
        int r = blockIdx.y * TILE + y, c = blockIdx.x * TILE + tx;
        bool inA = r < N && k0 + tx < N, inB = k0 + y < N && c < N;
        __pipeline_memcpy_async(&sa[y][tx], inA ? &A[r * N + k0 + tx] : A, 4, inA ? 0 : 4);
        __pipeline_memcpy_async(&sb[y][tx], inB ? &B[(k0 + y) * N + c] : B, 4, inB ? 0 : 4);
    }
    __pipeline_commit();
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[DEPTH][TILE][TILE];
    __shared__ float sb[DEPTH][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    float acc[4] = {0.0f};

    for (int d = 0; d < DEPTH - 1; d++)
        stage(sa[d], sb[d], A, B, d * TILE, N);

    int use = 0, fill = DEPTH - 1;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        __pipeline_wait_prior(DEPTH - 2);
        __syncthreads();
        stage(sa[fill], sb[fill], A, B, k0 + (DEPTH - 1) * TILE, N);
        for (int k = 0; k < TILE; k++) {
            float b = sb[use][k][tx];
            for (int i = 0; i < 4; i++)
                acc[i] += sa[use][ty + 8 * i][k] * b;
        }
        use = (use + 1) % DEPTH;
        fill = (fill + 1) % DEPTH;
    }

    for (int i = 0; i < 4; i++) {
        int r = blockIdx.y * TILE + ty + 8 * i, c = blockIdx.x * TILE + tx;
        if (r < N && c < N) C[r * N + c] = acc[i];
    }
}

LAUNCH(.block = {TILE, 8}, .tile = {TILE, TILE});
