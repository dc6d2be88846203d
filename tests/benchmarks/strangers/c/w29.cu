#include <lab.h>

#define TILE 16

// Prefetch the next tile into registers while the current one is being used.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    int safeCol = min(col, N - 1);
    float acc = 0.0f;
    float nextB = B[min(ty, N - 1) * N + safeCol];

    for (int k0 = 0; k0 < N; k0 += TILE) {
        // A is zero beyond column N, so any element of B will do there
        As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty][tx] = nextB;
        __syncthreads();
        int nextRow = min(k0 + TILE + ty, N);
        nextB = B[nextRow * N + safeCol];
        for (int k = 0; k < TILE; ++k)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
