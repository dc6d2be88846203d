#include <lab.h>

#define TILE_M 32
#define TILE_N 64
#define TILE_K 8
#define TDX    16
#define TDY    16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float Ablk[TILE_M][TILE_K];
    __shared__ float Bblk[TILE_K][TILE_N];
    float creg[2][4] = {};

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int t  = ty * TDX + tx;
    const int m0 = blockIdx.y * TILE_M, n0 = blockIdx.x * TILE_N;

    for (int k0 = 0; k0 < N; k0 += TILE_K) {
        // A: 256 elements, one per thread
        {
            const int m = t / TILE_K, k = t % TILE_K;
            Ablk[m][k] = (m0 + m < N && k0 + k < N) ? A[(m0 + m) * N + k0 + k] : 0.0f;
        }
        // B: 512 elements, two per thread
        for (int i = t; i < TILE_K * TILE_N; i += TDX * TDY) {
            const int k = i / TILE_N, n = i % TILE_N;
            Bblk[k][n] = (k0 + k < N && n0 + n < N) ? B[(k0 + k) * N + n0 + n] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE_K; ++k)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j)
                    creg[i][j] += Ablk[ty + TDY * i][k] * Bblk[k][tx + TDX * j];
        __syncthreads();
    }

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            const int m = m0 + ty + TDY * i, n = n0 + tx + TDX * j;
            if (m < N && n < N)
                C[m * N + n] = creg[i][j];
        }
}

LAUNCH(.block = {TDX, 8}, .tile = {TILE_N, TILE_M});
