#include <lab.h>

#define TILE 16

/* Thread (x, y) computes element (x, y) of the tile, i.e. x selects the ROW.
   For coalesced stores the results go through shared memory at the end. */
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float tA[TILE][TILE + 1];
    __shared__ float tB[TILE][TILE + 1];

    const int x = threadIdx.x, y = threadIdx.y;
    const int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
    float sum = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        if (k0 > 0)
            __syncthreads();      // previous tiles are finished
        tA[y][x] = (r0 + y < N && k0 + x < N) ? A[(r0 + y) * N + k0 + x] : 0.0f;
        tB[y][x] = (k0 + y < N && c0 + x < N) ? B[(k0 + y) * N + c0 + x] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += tA[x][k] * tB[k][y];
    }

    // reuse tA for the output
    tA[x][y] = sum;
    __syncthreads();
    if (r0 + y < N && c0 + x < N)
        C[(r0 + y) * N + c0 + x] = tA[y][x];
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
