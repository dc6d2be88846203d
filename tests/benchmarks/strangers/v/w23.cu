// 32x32 tile, 256 threads, flat thread index everywhere
#include <lab.h>

#define TILE 32
#define THREADS 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE * TILE], Bs[TILE * TILE];
    const int tid = threadIdx.x;
    const int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;

    float acc[TILE * TILE / THREADS];
    for (float &x : acc) x = 0.0f;

    for (int k0 = 0; k0 < N; k0 += TILE) {
        for (int e = tid; e < TILE * TILE; e += THREADS) {
            int i = e / TILE, j = e % TILE;
            As[e] = (r0 + i < N && k0 + j < N) ? A[(r0 + i) * N + (k0 + j)] : 0.0f;
            Bs[e] = (k0 + i < N && c0 + j < N) ? B[(k0 + i) * N + (c0 + j)] : 0.0f;
        }
        __syncthreads();
        for (int e = tid, n = 0; e < TILE * TILE; e += THREADS, ++n) {
            int i = e / TILE, j = e % TILE;
            for (int k = 0; k < TILE; ++k)
                acc[n] += As[i * TILE + k] * Bs[k * TILE + j];
        }
        __syncthreads();
    }

    for (int e = tid, n = 0; e < TILE * TILE; e += THREADS, ++n) {
        int r = r0 + e / TILE, c = c0 + e % TILE;
        if (r < N && c < N)
            C[r * N + c] = acc[n];
    }
}

LAUNCH(.block = {16, 16}, .tile = {TILE, TILE});
