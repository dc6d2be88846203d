#include <lab.h>

// Clamped loads: no divergence, no out-of-range reads. See slides 36-38.
static constexpr int TS = 16;

__device__ __forceinline__ int clampTo(int i, int n) { return i < n ? i : n - 1; }

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TS][TS];
    __shared__ float b[TS][TS];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
    const int rowIn = clampTo(row, N), colIn = clampTo(col, N);

    float r = 0.0f;
    for (int t = 0; t < N; t += TS) {
        a[ty][tx] = A[rowIn * N + clampTo(t + tx, N)];
        b[ty][tx] = B[clampTo(t + ty, N) * N + colIn];
        __syncthreads();

#pragma unroll
        for (int k = 0; k < TS; ++k)
            r += a[ty][k] * b[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = r;
}

LAUNCH(.block = {TS, TS}, .tile = {TS, TS});
