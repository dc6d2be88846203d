#include <lab.h>

#define TILE_H 64

// every warp walks down the tile's rows
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int top = blockIdx.y * TILE_H;
    const int step = blockDim.y / 32;

    if (col >= N)
        return;

    for (int r = threadIdx.y; r < TILE_H && top + r < N; r += step) {
        const float *arow = A + (top + r) * N;
        float acc = 0.0f;
        for (int k = 0; k < N; ++k)
            acc += arow[k] * B[k * N + col];
        C[(top + r) * N + col] = acc;
    }
}

LAUNCH(.block = {32, 16}, .tile = {32, TILE_H});
