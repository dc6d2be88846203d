#include <lab.h>

#define T 16
#define STRIPS 4

__device__ __forceinline__ float safe(const float *M, int r, int c, int n)
{
    return (r < n && c < n) ? M[r * n + c] : 0.0f;
}

// A block computes STRIPS tiles below each other, to launch fewer blocks.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[T][T];
    __shared__ float b[T][T];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int col = blockIdx.x * T + tx;
    const int tiles = (N + T - 1) / T;

    float sum = 0.0f;

    for (int s = 0; s < STRIPS; ++s) {
        const int row = (blockIdx.y * STRIPS + s) * T + ty;

        for (int t = 0; t < tiles; ++t) {
            a[ty][tx] = safe(A, row, t * T + tx, N);
            b[ty][tx] = safe(B, t * T + ty, col, N);
            __syncthreads();

#pragma unroll
            for (int k = 0; k < T; ++k)
                sum += a[ty][k] * b[k][tx];
            __syncthreads();
        }

        if (row < N && col < N)
            C[row * N + col] = sum;
    }
}

LAUNCH(.block = {T, T}, .tile = {T, T * STRIPS});
