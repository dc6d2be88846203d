#include <lab.h>

// One row strip per block, loop with the stride of the block inside the tile (works for any block size).
#define TILE_W 64
#define TILE_H 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int nthreads = blockDim.x * blockDim.y;
    const int me = threadIdx.y * blockDim.x + threadIdx.x;

    for (int e = me; e < TILE_W * TILE_H; e += nthreads) {
        const int r = blockIdx.y * TILE_H + e / TILE_W;
        const int c = blockIdx.x * TILE_W + e % TILE_W;
        if (r >= N || c >= N)
            continue;
        float dot = 0.0f;
        for (int k = 0; k < N; ++k)
            dot = fmaf(A[r * N + k], B[k * N + c], dot);
        C[r * N + c] = dot;
    }
}

LAUNCH(.block = {128}, .tile = {TILE_W, TILE_H});
