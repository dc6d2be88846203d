// expect: data-race; lines: 17; says: arrive at barrier 1 in line 17
// Two halves of the block compute a tile each. They wait at one barrier, which counts the arrivals of both.
#include <lab.h>

#define TILE 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
    int tx = threadIdx.x % TILE, ty = threadIdx.x / TILE % TILE, half = threadIdx.x / (TILE * TILE);
    int row = blockIdx.y * TILE + ty;
    int col = (2 * blockIdx.x + half) * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        As[half][ty][tx] = (row < N && first + tx < N) ? A[row * N + first + tx] : 0.0f;
        Bs[half][ty][tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
        asm volatile("bar.sync 1, 256;" ::: "memory");
        for (int k = 0; k < TILE; ++k)
            sum += As[half][ty][k] * Bs[half][k][tx];
        asm volatile("bar.sync 1, 256;" ::: "memory");
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {2 * TILE * TILE}, .tile = {2 * TILE, TILE});
