/* -----------------------------------------------------------------
   Tiled matrix multiplication
   - one tile of A and one of B per round
   - the start of the round is kept once per block to save registers
   - works for any N
   ----------------------------------------------------------------- */
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    __shared__ int k0;

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const bool first = tx == 0 && ty == 0;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    if (first)
        k0 = 0;
    __syncthreads();

    float sum = 0.0f;
    while (k0 < N) {
        As[ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        Bs[ty][tx] = (col < N && k0 + ty < N) ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();

        if (first)
            k0 += TILE;
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
