#include <lab.h>

const int TILE = 16;

// row r of x times column c of y
__device__ float tile_dot(const float (*x)[TILE], const float (*y)[TILE], int r, int c)
{
    float s = 0.0f;
    for (int k = 0; k < TILE; k++)
        s += x[r][k] * y[k][c];
    return s;
}

__device__ void tile_load(float (*dst)[TILE], const float *src, int r, int c, int N)
{
    if (r < N && c < N)
        dst[threadIdx.y][threadIdx.x] = src[r * N + c];
    else
        dst[threadIdx.y][threadIdx.x] = 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int tiles = (N + TILE - 1) / TILE;
    float sum = 0.0f;

    for (int t = 0; t < tiles; t++) {
        tile_load(As, A, row, t * TILE + tx, N);
        tile_load(Bs, B, t * TILE + ty, col, N);
        __syncthreads();
        sum += tile_dot(Bs, As, ty, tx);
        __syncthreads();
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
