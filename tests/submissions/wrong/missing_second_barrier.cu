// expect: data-race; lines: 26, 31; says: between line 31 and line 26, which follows in the next iteration of the loop.
// The next tiles wait in registers, and the barrier between using the current ones and overwriting them is missing:
// the first warp to finish overwrites the tiles that the others still use.
#include <lab.h>

#define TILE 32

__device__ float element(const float *matrix, int row, int col, int N)
{
    return row < N && col < N ? matrix[row * N + col] : 0.0f;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    float next_a = element(A, row, tx, N);
    float next_b = element(B, ty, col, N);
    for (int first = 0; first < N; first += TILE) {
        As[ty][tx] = next_a;
        Bs[ty][tx] = next_b;
        __syncthreads();
        next_a = element(A, row, first + TILE + tx, N);
        next_b = element(B, first + TILE + ty, col, N);
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
