#include <lab.h>
#define TILE 16

// Double buffering: while tile t is multiplied, tile t+1 is on its way
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    int tiles = (N + TILE - 1) / TILE;

    auto load = [&](int t, int buf) {
        int ka = t * TILE + tx, kb = t * TILE + ty;
        As[buf][ty][tx] = (row < N && ka < N) ? A[row * N + ka] : 0.0f;
        Bs[buf][ty][tx] = (kb < N && col < N) ? B[kb * N + col] : 0.0f;
    };

    load(0, 0);
    __syncthreads();

    float sum = 0.0f;
    int cur = 0;
    for (int t = 0; t < tiles - 1; ++t) {
        if (t + 1 < tiles)
            load(t + 1, cur ^ 1);
        for (int k = 0; k < TILE; ++k)
            sum += As[cur][ty][k] * Bs[cur][k][tx];
        __syncthreads();
        cur ^= 1;
    }

    if (row < N && col < N)
        C[row * N + col] = sum;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
