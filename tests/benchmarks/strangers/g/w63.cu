#include <lab.h>

#define TILE 16

// barrier 0 belongs to __syncthreads(), so take number 1
#define WAIT_FOR_TILES() asm volatile("bar.sync 1, %0;" :: "n"(2 * TILE * TILE) : "memory")

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tiles[2][TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float acc = 0.0f;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        tiles[0][ty][tx] = (row < N && k0 + tx < N) ? A[row * N + k0 + tx] : 0.0f;
        tiles[1][ty][tx] = (k0 + ty < N && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        WAIT_FOR_TILES();
        for (int k = 0; k < TILE; ++k)
            acc += tiles[0][ty][k] * tiles[1][k][tx];
        WAIT_FOR_TILES();
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
