// expect: ok
// Reads the order of the terms from a table in constant memory, at indices that only some lanes have in common.
#include <lab.h>

#define TILE 16

__constant__ unsigned char order[TILE] = {15, 3, 0, 1, 2, 7, 6, 5, 4, 8, 11, 10, 9, 12, 14, 13};

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < N; t += TILE) {
        As[ty][tx] = row < N && t + tx < N ? A[row * N + t + tx] : 0.0f;
        Bs[ty][tx] = t + ty < N && col < N ? B[(t + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            int own = order[(k + tx) % TILE];
            sum += As[ty][own] * Bs[own][tx];
        }
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
