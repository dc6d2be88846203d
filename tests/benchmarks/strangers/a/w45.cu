#include <lab.h>

#define TILE 32
#define ROWS_EACH 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int rowBase = blockIdx.y * TILE;
    int col = blockIdx.x * TILE + tx;

    int tiles = N / TILE;

    float acc[ROWS_EACH] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int t = 0; t < tiles; t++) {
        for (int i = 0; i < ROWS_EACH; i++) {
            int y = ty + i * (TILE / ROWS_EACH);
            int r = rowBase + y;
            int ka = t * TILE + tx;
            int kb = t * TILE + y;
            As[y][tx] = (r < N && ka < N) ? A[r * N + ka] : 0.0f;
            Bs[y][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; k++) {
            float b = Bs[k][tx];
            for (int i = 0; i < ROWS_EACH; i++)
                acc[i] += As[ty + i * (TILE / ROWS_EACH)][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < ROWS_EACH; i++) {
        int r = rowBase + ty + i * (TILE / ROWS_EACH);
        if (r < N && col < N)
            C[r * N + col] = acc[i];
    }
}

LAUNCH(.block = {TILE, TILE / ROWS_EACH}, .tile = {TILE, TILE});
