#include <lab.h>
#define TILE_DIM 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float subA[TILE_DIM][TILE_DIM];
    __shared__ float subB[TILE_DIM][TILE_DIM];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE_DIM + ty;
    int col = blockIdx.x * TILE_DIM + tx;
    float sum = 0.0f;

    for (int t = 0; t <= (N - 1) / TILE_DIM; ++t) {
        // indices past the edge stay on the last element, the sum below skips them
        int ka = min(t * TILE_DIM + tx, N - 1);
        int kb = min(t * TILE_DIM + ty, N - 1);
        subA[ty][tx] = A[min(row, N - 1) * N + ka];
        subB[ty][tx] = B[kb * N + min(col, N - 1)];
        __syncthreads();
        for (int k = 0; k < TILE_DIM; ++k)
            sum += t * TILE_DIM + k < N ? subA[ty][k] : 0.0f * subB[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE_DIM, TILE_DIM}, .tile = {TILE_DIM, TILE_DIM});
