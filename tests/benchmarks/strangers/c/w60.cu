#include <lab.h>

#define TILE 16
#define THREADS 64  // each thread has 4 rows of one column

typedef unsigned char u8;  // everything here is below 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE * TILE];
    __shared__ float Bs[TILE * TILE];
    const u8 tid = threadIdx.x;
    const u8 tx = tid % TILE, ty = tid / TILE;
    const int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
    float acc[4] = {};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        for (u8 i = tid; i < TILE * TILE; i += THREADS) {
            int y = i / TILE, x = i % TILE;
            As[i] = (r0 + y < N && k0 + x < N) ? A[(r0 + y) * N + k0 + x] : 0.0f;
            Bs[i] = (k0 + y < N && c0 + x < N) ? B[(k0 + y) * N + c0 + x] : 0.0f;
        }
        __syncthreads();
        for (u8 k = 0; k < TILE; ++k)
            for (u8 i = 0; i < 4; ++i)
                acc[i] += As[(ty + 4 * i) * TILE + k] * Bs[k * TILE + tx];
        __syncthreads();
    }
    for (u8 i = 0; i < 4; ++i) {
        int row = r0 + ty + 4 * i, col = c0 + tx;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {THREADS}, .tile = {TILE, TILE});
