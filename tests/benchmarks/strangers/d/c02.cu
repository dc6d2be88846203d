#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    const int safeRow = min(row, N - 1);
    const int safeCol = min(col, N - 1);

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        const float a = A[safeRow * N + min(k0 + tx, N - 1)];
        As[ty][tx] = k0 + tx < N ? a : 0.0f;
        Bs[ty][tx] = B[min(k0 + ty, N - 1) * N + safeCol];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
