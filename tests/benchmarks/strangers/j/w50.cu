#include <lab.h>
#define TILE 32
#define RPT 4        // rows per thread

// Prefetch into registers: the loads of the next tile overlap with the computation.
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE][TILE];
    __shared__ float sB[TILE][TILE];

    const int x = threadIdx.x;
    const int y = threadIdx.y * RPT;
    const int row = blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;
    const int tiles = (N + TILE - 1) / TILE;

    float pa[RPT], pb[RPT], out[RPT];
    for (int i = 0; i < RPT; ++i) {
        pa[i] = (row + i < N && x < N) ? A[(row + i) * N + x] : 0.0f;
        pb[i] = (y + i < N && col < N) ? B[(y + i) * N + col] : 0.0f;
        out[i] = 0.0f;
    }

    for (int t = 0; t < tiles; ++t) {
        for (int i = 0; i < RPT; ++i) {
            sA[y + i][x] = pa[i];
            sB[y + i][x] = pb[i];
        }
        __syncthreads();

        if (t + 1 < tiles) {
            const int nk = t * TILE;
            for (int i = 0; i < RPT; ++i) {
                pa[i] = (row + i < N && nk + x < N) ? A[(row + i) * N + nk + x] : 0.0f;
                pb[i] = (nk + y + i < N && col < N) ? B[(nk + y + i) * N + col] : 0.0f;
            }
        }

        for (int k = 0; k < TILE; ++k) {
            const float b = sB[k][x];
            for (int i = 0; i < RPT; ++i)
                out[i] += sA[y + i][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < RPT; ++i)
        if (row + i < N && col < N)
            C[(row + i) * N + col] = out[i];
}

LAUNCH(.block = {TILE, TILE / RPT}, .tile = {TILE, TILE});
