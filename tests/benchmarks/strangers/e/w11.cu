#include <lab.h>

#define TILE 32
#define ROWS_OF_THREADS 8

__device__ float load(const float *m, int r, int c, int n)
{
    if (r >= n || c >= n) return 0.0f;
    return __ldg(&m[r * n + c]);
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE + 1];
    __shared__ float Bs[TILE][TILE + 1];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r0 = blockIdx.y * TILE;
    int c0 = blockIdx.x * TILE;
    float c[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int t = 0; t * TILE < N; t++) {
        for (int i = 0; i <= TILE; i += ROWS_OF_THREADS) {
            As[ty + i][tx] = load(A, r0 + ty + i, t * TILE + tx, N);
            Bs[ty + i][tx] = load(B, t * TILE + ty + i, c0 + tx, N);
        }
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            c[0] += As[ty][k] * Bs[k][tx];
            c[1] += As[ty + 8][k] * Bs[k][tx];
            c[2] += As[ty + 16][k] * Bs[k][tx];
            c[3] += As[ty + 24][k] * Bs[k][tx];
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; i++)
        if (r0 + ty + 8 * i < N && c0 + tx < N)
            C[(r0 + ty + 8 * i) * N + c0 + tx] = c[i];
}

LAUNCH(.block = {TILE, ROWS_OF_THREADS}, .tile = {TILE, TILE});
