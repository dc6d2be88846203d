#include <lab.h>

#define TILE 16

// double buffering
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    const int tiles = (N + TILE - 1) / TILE;

    auto load = [&](int buf, int t) {
        int ka = t * TILE + tx;
        int kb = t * TILE + ty;
        As[buf][ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        Bs[buf][ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
    };

    float acc = 0.0f;
    int cur = 0;
    load(cur, 0);
    __syncthreads();

    for (int t = 0; t < tiles - 1; ++t) {
        load(cur ^ 1, t + 1);
        for (int k = 0; k < TILE; ++k)
            acc += As[cur][ty][k] * Bs[cur][k][tx];
        __syncthreads();
        cur ^= 1;
    }

    if (row < N && col < N)
        C[row * N + col] = acc;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
