#include <lab.h>

#define TILE_ROWS 64
#define TILE_COLS 16
#define PER (TILE_ROWS / 16)

// 16 x 16 threads; a thread has PER rows of one column
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE_ROWS][16];
    __shared__ float sB[16][TILE_COLS];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE_COLS + tx;
    int top = blockIdx.y * TILE_ROWS;
    float reg[PER] = {};

    for (int k0 = 0; k0 < N; k0 += 16) {
        for (int i = 0; i < PER; ++i) {
            int row = top + ty + 16 * i;
            sA[ty + 16 * i][tx] = row < N && k0 + tx < N ? A[row * N + k0 + tx] : 0.f;
        }
        sB[ty][tx] = k0 + ty < N && col < N ? B[(k0 + ty) * N + col] : 0.f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            float b = sB[k][tx];
#pragma unroll
            for (int i = 0; i < PER; ++i)
                reg[i] += sA[ty + 16 * i][k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < PER; ++i) {
        int row = top + ty + 16 * i;
        if (row < N && col < N)
            C[row * N + col] = reg[i];
    }
}

LAUNCH(.block = {TILE_COLS, 16}, .tile = {TILE_ROWS, TILE_COLS});
