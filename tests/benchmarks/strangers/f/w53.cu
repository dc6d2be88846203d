#include <lab.h>

#define TILE 16
#define LD (TILE + 1)          // +1 against bank conflicts

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float pool[2 * TILE * TILE];
    float *ta = pool;
    float *tb = pool + TILE * LD;

    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float s = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        ta[y * LD + x] = (row < N && k0 + x < N) ? A[row * N + k0 + x] : 0.0f;
        tb[y * LD + x] = (col < N && k0 + y < N) ? B[(k0 + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            s += ta[y * LD + k] * tb[k * LD + x];
        __syncthreads();
    }
    if (row < N && col < N)
        C[row * N + col] = s;
}

LAUNCH(.block = {TILE, TILE}, .tile = {TILE, TILE});
