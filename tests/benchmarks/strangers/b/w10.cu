#include <lab.h>

#define TILE_W 32
#define TILE_H 32
#define THREADS_Y 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int col = blockIdx.x * TILE_W + threadIdx.x;
    float sum = 0.0f;

    // block-stride loop over the rows of the tile
    for (int r = threadIdx.y; r < TILE_H; r += THREADS_Y) {
        int row = blockIdx.y * TILE_H + r;
        if (row < N && col < N) {
            for (int k = 0; k < N; k++) {
                sum += A[row * N + k] * B[k * N + col];
            }
            C[row * N + col] = sum;
        }
    }
}

LAUNCH(.block = {TILE_W, THREADS_Y}, .tile = {TILE_W, TILE_H});
