// expect: ok
// One half of the block loads tiles and the other half multiplies, with named barriers between them.
#include <lab.h>

#define TILE 16
#define THREADS (TILE * TILE)

__device__ void wait_at(int barrier)
{
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(2 * THREADS) : "memory");
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        if (threadIdx.z == 0) {
            As[ty][tx] = (row < N && first + tx < N) ? A[row * N + first + tx] : 0.0f;
            Bs[ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
        }
        wait_at(1);
        if (threadIdx.z == 1)
            for (int k = 0; k < TILE; ++k)
                sum += As[ty][k] * Bs[k][tx];
        wait_at(2);
    }
    if (threadIdx.z == 1 && row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE, 2}, .tile = {TILE, TILE});
