// expect: data-race; lines: 26, 28
// Multiplies from the buffer that is being filled.
#include <lab.h>

#define TILE 16

__device__ float element(const float *matrix, int row, int col, int N)
{
    return row < N && col < N ? matrix[row * N + col] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    As[0][ty][tx] = element(A, row, tx, N);
    Bs[0][ty][tx] = element(B, ty, col, N);
    __syncthreads();
    float sum = 0.0f;
    int now = 0;
    for (int first = 0; first < N; first += TILE) {
        As[1 - now][ty][tx] = element(A, row, first + TILE + tx, N);
        Bs[1 - now][ty][tx] = element(B, first + TILE + ty, col, N);
        for (int k = 0; k < TILE; ++k)
            sum += As[1 - now][ty][k] * Bs[1 - now][k][tx];
        __syncthreads();
        now = 1 - now;
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
