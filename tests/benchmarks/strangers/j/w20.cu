#include <lab.h>

// Blocks are renumbered so that blocks that run at the same time share rows of A
// and columns of B in the L2 cache (GROUP rows of blocks, column by column).
#define TILE 16
#define GROUP 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];

    const int id = blockIdx.y * gridDim.x + blockIdx.x;
    const int perGroup = GROUP * gridDim.x;
    const int first = id / perGroup * GROUP;
    const int rows = GROUP;
    const int by = first + id % perGroup % rows;
    const int bx = id % perGroup / rows;

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = by * TILE + y, col = bx * TILE + x;
    float value = 0;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        a[y][x] = row < N && k0 + x < N ? A[row * N + k0 + x] : 0;
        b[y][x] = k0 + y < N && col < N ? B[(k0 + y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            value += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = value;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
