#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][2 * TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * 2 * TILE + tx;
    int col2 = col + TILE;
    float sum = 0.0f, sum2 = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        Bs[ty][tx + TILE] = (k0 + ty < N && col2 < N) ? B[(k0 + ty) * N + col2] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            sum += As[ty][k] * Bs[k][tx];
            sum2 += As[ty][k] * Bs[k][tx + TILE];
        }
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
    if (row < N && col2 < N)
        C[row * N + col2] = sum2;
}

LAUNCH(.block = {TILE, TILE}, .tile = {2 * TILE, 2 * TILE});
