#include <lab.h>
#include <cuda_pipeline.h>

constexpr int TILE = 32;
constexpr int ROWS_OF_THREADS = 8;
constexpr int PER = TILE / ROWS_OF_THREADS;

struct Stage {
    float a[TILE][TILE];
    float b[TILE][TILE];
};

__device__ void fetch(Stage &s, const float *A, const float *B, int N, int k0)
{
    for (int i = threadIdx.y; i < TILE; i += ROWS_OF_THREADS) {
        const int j = threadIdx.x;
        const int row = blockIdx.y * TILE + i, col = blockIdx.x * TILE + j;

        if (row < N && k0 + j < N)
            __pipeline_memcpy_async(&s.a[i][j], &A[row * N + k0 + j], sizeof(float));
        else
            s.a[i][j] = 0.0f;

        if (k0 + i < N && col < N)
            __pipeline_memcpy_async(&s.b[i][j], &B[(k0 + i) * N + col], sizeof(float));
        else
            s.b[i][j] = 0.0f;
    }
    __pipeline_commit();
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Stage stages[2];
    float sum[PER] = {};

    fetch(stages[0], A, B, N, 0);
    for (int k0 = 0, now = 0; k0 < N; k0 += TILE, now ^= 1) {
        if (k0 + TILE < N) {
            fetch(stages[now ^ 1], A, B, N, k0 + TILE);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            for (int p = 0; p < PER; ++p)
                sum[p] += stages[now].a[threadIdx.y + p * ROWS_OF_THREADS][k] * stages[now].b[k][threadIdx.x];
        __syncthreads();
    }

    const int col = blockIdx.x * TILE + threadIdx.x;
    for (int p = 0; p < PER; ++p) {
        const int row = blockIdx.y * TILE + threadIdx.y + p * ROWS_OF_THREADS;
        if (row < N && col < N)
            C[row * N + col] = sum[p];
    }
}

LAUNCH(.block = {TILE, ROWS_OF_THREADS}, .tile = {TILE, TILE});
