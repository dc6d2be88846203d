#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    if (row < N && col < N) {
        for (int t = 0; t < (N + TILE - 1) / TILE; ++t) {
            int k1 = t * TILE + threadIdx.x;
            int k2 = t * TILE + threadIdx.y;
            As[threadIdx.y][threadIdx.x] = (k1 < N) ? A[row * N + k1] : 0.0f;
            Bs[threadIdx.y][threadIdx.x] = (k2 < N) ? B[k2 * N + col] : 0.0f;
            __syncthreads();
            for (int k = 0; k < TILE; ++k)
                sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
            __syncthreads();
        }
        C[row * N + col] = sum;
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
