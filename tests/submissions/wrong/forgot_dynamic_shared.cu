// expect: crashed or out-of-bounds; lines: 19
// Uses dynamic shared memory, but LAUNCH requests none.
#include <lab.h>

#define TILE 32

extern __shared__ float tiles[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *As = tiles;
    float *Bs = tiles + TILE * TILE;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int first = 0; first < N; first += TILE) {
        As[ty * TILE + tx] = (row < N && first + tx < N) ? A[row * N + first + tx] : 0.0f;
        Bs[ty * TILE + tx] = (first + ty < N && col < N) ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty * TILE + k] * Bs[k * TILE + tx];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
