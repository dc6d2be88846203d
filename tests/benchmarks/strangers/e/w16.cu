#include <lab.h>

// Tiled, and the blocks are renumbered so that neighbours in time share rows of A and
// columns of B in the L2 cache (same as in the Triton tutorial).
#define TILE 32
#define GROUP 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];

    int bid = blockIdx.y * gridDim.x + blockIdx.x;
    int perGroup = GROUP * gridDim.x;
    int firstRow = bid / perGroup * GROUP;
    int rowsHere = GROUP;
    int tileRow = firstRow + bid % perGroup % rowsHere;
    int tileCol = bid % perGroup / rowsHere;

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = tileRow * TILE + ty, col = tileCol * TILE + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        a[ty][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.0f;
        b[ty][tx] = col < N && k0 + ty < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < TILE; ++k) sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    if (row < N && col < N) C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
