// expect: data-race; lines: 21, 25; says: Put a __syncthreads() between line 21 and line 25.
// One warp loads both tiles, and the barrier between loading and using them is missing: the other warps read what
// the tiles held before.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        if (ty == 0)
            for (int i = 0; i < TILE; ++i) {
                int a_row = blockIdx.y * TILE + i, a_col = first + tx, b_row = first + i;
                As[i][tx] = (a_row < N && a_col < N) ? A[a_row * N + a_col] : 0.0f;
                Bs[i][tx] = (b_row < N && col < N) ? B[b_row * N + col] : 0.0f;
            }
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
