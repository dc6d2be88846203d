#include <lab.h>

#define TILE 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float acc = 0.0f;

    for (int t = 0; t < (N - 1) / TILE + 1; ++t) {
        As[y][x] = (row < N && t * TILE + x < N) ? A[row * N + t * TILE + x] : 0.0f;
        Bs[y][x] = (t * TILE + y < N && col < N) ? B[(t * TILE + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += As[y][k] * Bs[k][x];
    }
    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
