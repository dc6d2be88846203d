// expect: ok
// Each half of the block computes a tile of its own behind barriers of its own; one barrier of all threads comes first.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, half = threadIdx.z;
    int row = blockIdx.y * TILE + ty;
    int col = (2 * blockIdx.x + half) * TILE + tx;
    As[1 - half][ty][tx] = 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        As[half][ty][tx] = (row < N && first + tx < N) ? A[row * N + first + tx] : 0.0f;
        Bs[half][ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
        asm volatile("bar.sync %0, 256;" ::"r"(half + 1) : "memory");
        for (int k = 0; k < TILE; ++k)
            sum += As[half][ty][k] * Bs[half][k][tx];
        asm volatile("barrier.sync %0, 256;" ::"r"(half + 1) : "memory");
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE, 2}, .tile = {2 * TILE, TILE});
