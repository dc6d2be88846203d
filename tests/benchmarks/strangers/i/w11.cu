#include <lab.h>

#define TILE 32
#define KT 8

// 256 threads, each computes 4 elements of a 32x32 tile (same column, rows r, r+8, r+16, r+24)
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][KT];
    __shared__ float Bs[KT][TILE];

    const int tid = threadIdx.x;
    const int c = tid % TILE;
    const int r = tid / TILE;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float sum[4] = {0.f, 0.f, 0.f, 0.f};

    for (int k0 = 0; k0 < N; k0 += KT) {
        // 32*8 = 256 elements each, one per thread
        int ar = tid / KT, ac = tid % KT;
        As[ar][ac] = (row0 + ar < N && k0 + ac < N) ? A[(row0 + ar) * N + k0 + ac] : 0.f;
        Bs[r][c] = (k0 + r < N && col0 + c < N) ? B[(k0 + r) * N + col0 + c] : 0.f;
        __syncthreads();
        for (int k = 0; k < KT; ++k)
            for (int i = 0; i < 4; ++i)
                sum[i] += As[r + 8 * i][k] * Bs[k][c];
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i) {
        int row = row0 + r + 8 * i;
        if (row < N && col0 + c < N)
            C[row * N + col0 + c] = sum[i];
    }
}

LAUNCH(.block = {16, 16}, .tile = {TILE, TILE});
