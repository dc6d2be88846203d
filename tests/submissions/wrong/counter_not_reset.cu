// expect: wrong-answer; says: updates the __device__ variable next_tile
// Persistent blocks take tiles from a counter that nobody resets: the second launch finds no work.
#include <lab.h>

#define TILE 16

__device__ int next_tile;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ int tile;
    int along = (N + TILE - 1) / TILE;
    for (;;) {
        if (threadIdx.x == 0 && threadIdx.y == 0)
            tile = atomicAdd(&next_tile, 1);
        __syncthreads();
        if (tile >= along * along)
            break;
        int row = tile / along * TILE + threadIdx.y;
        int col = tile % along * TILE + threadIdx.x;
        if (row < N && col < N) {
            float sum = 0.0f;
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
            C[row * N + col] = sum;
        }
        __syncthreads();
    }
}

LAUNCH(.block = {TILE, TILE}, .tile = {64, 64});
