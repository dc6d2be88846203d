#include <lab.h>

#define EDGE 32
#define DEPTH 16
#define RT 2
#define N_THREADS 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[DEPTH][EDGE + 1];
    __shared__ float b[DEPTH][EDGE];
    const int t = threadIdx.x;
    const int x = t % (EDGE / RT), y = t / (EDGE / RT);
    const int col0 = blockIdx.x * EDGE, row0 = blockIdx.y * EDGE;
    float acc[RT][RT];

    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        for (int i = t; i < EDGE * DEPTH; i += N_THREADS) {
            const int m = i / DEPTH, ka = i % DEPTH;
            a[ka][m] = row0 + m < N && k0 + ka < N ? A[(row0 + m) * N + k0 + ka] : 0.0f;
            const int kb = i / EDGE, n = i % EDGE;
            b[kb][n] = k0 + kb < N && col0 + n < N ? B[(k0 + kb) * N + col0 + n] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k)
            for (int i = 0; i < RT; ++i)
                for (int j = 0; j < RT; ++j)
                    acc[i][j] += a[k][y * RT + i] * b[k][x * RT + j];
        __syncthreads();
    }

    for (int i = 0; i < RT; ++i)
        for (int j = 0; j < RT; ++j) {
            const int r = row0 + y * RT + i, c = col0 + x * RT + j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {N_THREADS}, .tile = {EDGE, EDGE});
