// expect: unset-memory; lines: 22; says: Line 22 reads element 16 of the shared array Bs
// The threads of the last tile leave out the loads beyond the edge, and the sum includes what the tiles held before.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int last = (N - 1) / TILE * TILE; last >= 0; last -= TILE) {
        if (row < N && last + tx < N)
            As[ty][tx] = A[row * N + last + tx];
        if (last + ty < N && col < N)
            Bs[ty][tx] = B[(last + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
