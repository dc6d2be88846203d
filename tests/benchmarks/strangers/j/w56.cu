#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];

    const int tid = threadIdx.x;
    const int x = tid & (TILE - 1);
    const int y = tid / TILE;
    const int row = blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        ta[y][x] = (row < N && k0 + x < N) ? A[row * N + k0 + x] : 0.0f;
        tb[y][x] = (k0 + y < N && col < N) ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += ta[y][k] * tb[k][x];
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
