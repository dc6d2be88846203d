#include <lab.h>

#define TILE 32
#define THREADS 256
#define ROWS_PER_THREAD (TILE * TILE / THREADS)

// copies a tile whose upper left corner is (r0, c0) into shared memory; zero outside of the matrix
__device__ void fill(float *dst, const float *src, int r0, int c0, int N)
{
    for (int i = threadIdx.x; i <= TILE * TILE; i += THREADS) {
        int r = r0 + i / TILE;
        int c = c0 + i % TILE;
        float v = 0.0f;
        if (r < N && c < N)
            v = src[r * N + c];
        dst[i] = v;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[TILE * TILE];
    __shared__ float sb[TILE * TILE];

    int x = threadIdx.x % TILE;
    int y = threadIdx.x / TILE;     // 0 .. 7
    int r0 = blockIdx.y * TILE;
    int c0 = blockIdx.x * TILE;

    float res[ROWS_PER_THREAD] = {0};

    for (int k0 = 0; k0 < N; k0 += TILE) {
        fill(sa, A, r0, k0, N);
        fill(sb, B, k0, c0, N);
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float b = sb[k * TILE + x];
            for (int i = 0; i < ROWS_PER_THREAD; ++i)
                res[i] += sa[(y + i * 8) * TILE + k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < ROWS_PER_THREAD; ++i) {
        int r = r0 + y + i * 8, c = c0 + x;
        if (r < N && c < N)
            C[r * N + c] = res[i];
    }
}

LAUNCH(.block = {THREADS}, .tile = {TILE, TILE});
