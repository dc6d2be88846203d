#include <lab.h>

#define TILE 16
#define CPT 2   // columns per thread

// Each thread computes CPT elements of the same row, TILE columns apart.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE * CPT];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col0 = blockIdx.x * TILE * CPT + tx;

    float sum[CPT];
    for (int j = 0; j < CPT; ++j)
        sum[j] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        const int ka = k0 + tx;
        As[ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;

        const int kb = k0 + ty;
        for (int j = 0; j < CPT; ++j) {
            const int col = col0 + j * TILE;
            Bs[ty][tx + j * TILE] = (kb < N && col < N) ? B[col * N + kb] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            for (int j = 0; j < CPT; ++j)
                sum[j] += As[ty][k] * Bs[k][tx + j * TILE];
        __syncthreads();
    }

    for (int j = 0; j < CPT; ++j)
        if (row < N && col0 + j * TILE < N)
            C[row * N + col0 + j * TILE] = sum[j];
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE * CPT, TILE});
