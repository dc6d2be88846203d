#include <lab.h>
#define TILE_WIDTH 16

// Tiled version as on slide 27 of lecture 5
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x;  int by = blockIdx.y;
    int tx = threadIdx.x; int ty = threadIdx.y;

    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;

    float Pvalue = 0;
    for (int ph = 0; ph < N / TILE_WIDTH; ++ph) {
        // Collaborative loading of tiles into shared memory
        if (Row < N && ph * TILE_WIDTH + tx < N)
            Mds[ty][tx] = A[Row * N + ph * TILE_WIDTH + tx];
        else
            Mds[ty][tx] = 0.0f;
        if (ph * TILE_WIDTH + ty < N && Col < N)
            Nds[ty][tx] = B[(ph * TILE_WIDTH + ty) * N + Col];
        else
            Nds[ty][tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    if (Row < N && Col < N)
        C[Row * N + Col] = Pvalue;
}

LAUNCH(.block = {TILE_WIDTH, TILE_WIDTH}, .tile = {TILE_WIDTH, TILE_WIDTH});
