#include <lab.h>
#include <cuda_pipeline.h>

#define TILE 32
#define ROWS 8
#define STAGES 2

// Two stages: while stage s is multiplied, the other one is being filled by cp.async.

struct Stage {
    float a[TILE][TILE];
    float b[TILE][TILE];
};

__device__ void request(Stage &st, const float *A, const float *B, int N, int k0)
{
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        int row = blockIdx.y * TILE + r;
        int col = blockIdx.x * TILE + threadIdx.x;
        int ka = k0 + threadIdx.x;
        int kb = k0 + r;

        if (row < N && ka < N)
            __pipeline_memcpy_async(&st.a[r][threadIdx.x], &A[row * N + ka], 4);
        else
            st.a[r][threadIdx.x] = 0.0f;

        if (kb < N && col < N)
            __pipeline_memcpy_async(&st.b[r][threadIdx.x], &B[kb * N + col], 4);
        else
            st.b[r][threadIdx.x] = 0.0f;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ Stage stage[STAGES];

    const int tiles = (N + TILE - 1) / TILE;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float acc[TILE / ROWS] = {};

    request(stage[0], A, B, N, 0);
    __pipeline_commit();

    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            request(stage[(t + 1) % STAGES], A, B, N, (t + 1) * TILE);
            __pipeline_commit();
        }
        __pipeline_wait_prior(1);
        __syncthreads();

        const Stage &now = stage[t % STAGES];
        for (int k = 0; k < TILE; ++k) {
            float b = now.b[k][threadIdx.x];
            for (int i = 0; i < TILE / ROWS; ++i)
                acc[i] += now.a[threadIdx.y + i * ROWS][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < TILE / ROWS; ++i) {
        int row = blockIdx.y * TILE + threadIdx.y + i * ROWS;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {TILE, ROWS}, .tile = {TILE, TILE});
