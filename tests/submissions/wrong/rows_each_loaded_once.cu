// expect: unset-memory; lines: 28
// Loads one quarter of the rows of the tile of A.
#include <lab.h>

#define THREADS 16
#define EACH 4
#define TILE (THREADS * EACH)
#define DEPTH 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][DEPTH], Bs[DEPTH][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;

    float sum[EACH][EACH] = {};
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = 0; i < EACH; ++i) {
            int r = ty + i * THREADS, c = tx + i * THREADS;
            if (i == 0)
                As[r][tx] = row0 + r < N && first + tx < N ? A[(row0 + r) * N + first + tx] : 0.0f;
            Bs[ty][c] = first + ty < N && col0 + c < N ? B[(first + ty) * N + col0 + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k)
            for (int i = 0; i < EACH; ++i)
                for (int j = 0; j < EACH; ++j)
                    sum[i][j] += As[ty + i * THREADS][k] * Bs[k][tx + j * THREADS];
        __syncthreads();
    }
    for (int i = 0; i < EACH; ++i)
        for (int j = 0; j < EACH; ++j) {
            int row = row0 + ty + i * THREADS, col = col0 + tx + j * THREADS;
            if (row < N && col < N)
                C[row * N + col] = sum[i][j];
        }
}

LAUNCH(.block = {THREADS, THREADS}, .tile = {TILE, TILE});
