// expect: data-race; lines: 17, 25; says: line 25
// One half of the block loads tiles and the other half multiplies; the loading half does not wait until a tile is used.
#include <lab.h>

#define TILE 16
#define THREADS (TILE * TILE)

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
            asm volatile("bar.arrive 1, 512;" ::: "memory");
            asm volatile("bar.sync 3, 256;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 512;" ::: "memory");
            float part = 0.0f;
            for (int k = 0; k < TILE; ++k)
                part += As[ty][k] * Bs[k][tx];
            sum += part;
            asm volatile("bar.sync 2, 256;" ::: "memory");
        }
    }
    if (threadIdx.z == 1 && row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE, 2}, .tile = {TILE, TILE});
