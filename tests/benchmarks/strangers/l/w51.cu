#include <lab.h>

#define TILE 32
#define PER_THREAD 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[TILE][TILE + 1];
    __shared__ float sB[TILE][TILE + 1];

    const int tx = threadIdx.x;      // 0..31
    const int ty = threadIdx.y;      // 0..7
    const int rowBase = blockIdx.y * TILE + ty * PER_THREAD;
    const int col = blockIdx.x * TILE + tx;

    float res[PER_THREAD] = {0.0f};

    for (int t = 0; t < (N + TILE - 1) / TILE; ++t) {
        for (int i = 0; i < PER_THREAD; ++i) {
            const int y = ty * PER_THREAD + i;
            const int ac = t * TILE + tx;
            const int br = t * TILE + y;
            sA[y][tx] = (rowBase + i < N && ac < N) ? A[(rowBase + i) * N + ac] : 0.0f;
            sB[y][tx] = (br < N && col < N) ? B[br * N + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            const float bv = sB[k][tx];
#pragma unroll
            for (int i = 0; i < PER_THREAD; ++i)
                res[i] += sA[ty * PER_THREAD + i][k] * bv;
        }
        __syncthreads();
    }

    for (int i = 0; i < PER_THREAD; ++i)
        if (rowBase + i < N)
            C[(rowBase + i) * N + col] = res[i];
}

LAUNCH(.block = {TILE, TILE / PER_THREAD}, .tile = {TILE, TILE});
