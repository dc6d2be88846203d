// expect: data-race; lines: 18, 22; says: with no barrier between the two
// A fence after the tile of B is stored to global memory, where the threads of the block need a barrier.
#include <lab.h>

#define TILE 16
#define BLOCKS 1024

__device__ float tiles[BLOCKS][TILE][TILE];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float(*tile)[TILE] = tiles[blockIdx.y * gridDim.x + blockIdx.x];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        tile[ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __threadfence_block();
        for (int k = 0; k < TILE && first + k < N; ++k)
            if (row < N)
                sum += A[row * N + first + k] * tile[k][tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
