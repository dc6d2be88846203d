#include <lab.h>

#define TILE 16
#define A_(r, c) A[(r) * N + (c)]
#define B_(r, c) B[(r) * N + (c)]

extern __shared__ float pool[];

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *tileA = pool;                 // TILE x TILE
    float *tileB = pool + TILE * TILE;   // TILE x TILE

    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * TILE + ty;
    int c = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        tileA[ty * TILE + tx] = (r < N && k0 + tx < N) ? A_(r, k0 + tx) : 0.0f;
        tileB[ty * TILE + tx] = (k0 + ty < N && c < N) ? B_(k0 + ty, c) : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += tileA[ty * TILE + k] * tileB[k * TILE + tx];
        __syncthreads();
    }
    if (r < N && c < N)
        C[r * N + c] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE}, .shared = 2 * TILE * TILE);
