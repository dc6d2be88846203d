#include <lab.h>

#define TILE 16

__shared__ float As[TILE][TILE];
__shared__ float Bs[TILE][TILE];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    // outside of C, work on the last row or column and do not store
    const int r = min(row, N - 1);
    const int c = min(col, N - 1);

    float sum = 0.0f;
    const int full = N / TILE;
    const int rest = N % TILE;

    // whole tiles: k needs no test
    for (int t = 0; t < full; ++t) {
        As[ty][tx] = A[r * N + t * TILE + tx];
        Bs[ty][tx] = B[(t * TILE + ty) * N + c];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    // the remaining columns of A and rows of B
    if (rest > 0) {
        if (tx < rest)
            As[ty][tx] = A[r * N + full * TILE + tx];
        if (ty < rest)
            Bs[ty][tx] = B[(full * TILE + ty) * N + c];
        __syncthreads();
        float sum = 0.0f;
        for (int k = 0; k < rest; ++k)
            sum += As[ty][k] * Bs[k][tx];
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
