#include <lab.h>

#define TILE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bt[TILE][TILE + 1];   // transposed, padded against bank conflicts

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = 0.0f;
        Bt[tx][ty] = 0.0f;
        if (row < N && k0 + tx < N)
            As[ty][tx] = A[row * N + k0 + tx];
        if (k0 + ty < N && col < N)
            Bt[tx][ty] = B[(k0 + ty) * N + col];
        __syncthreads();

        #pragma unroll 8
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bt[k][tx];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
