// Spills to local memory: 8 x 8 sums per thread, and launch bounds that leave 40 registers.
#include <lab.h>

constexpr int SIDE = 8, THREADS = 16, TILE = THREADS * SIDE, DEPTH = 8;
#ifdef FIXED
constexpr int BLOCKS = 2;
#else
constexpr int BLOCKS = 6;
#endif

extern "C" __global__ void __launch_bounds__(THREADS *THREADS, BLOCKS)
    matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[DEPTH][TILE], Bs[DEPTH][TILE];
    const int thread = threadIdx.x, tx = thread % THREADS, ty = thread / THREADS;
    float sum[SIDE][SIDE] = {};
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = thread; i < TILE * DEPTH; i += THREADS * THREADS) {
            const int row = blockIdx.y * TILE + i % TILE, col = blockIdx.x * TILE + i % TILE, k = first + i / TILE;
            As[i / TILE][i % TILE] = row < N && k < N ? A[row * N + k] : 0;
            Bs[i / TILE][i % TILE] = col < N && k < N ? B[k * N + col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k)
#pragma unroll
            for (int i = 0; i < SIDE; ++i)
#pragma unroll
                for (int j = 0; j < SIDE; ++j)
                    sum[i][j] += As[k][ty * SIDE + i] * Bs[k][j * THREADS + tx];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < SIDE; ++i)
#pragma unroll
        for (int j = 0; j < SIDE; ++j) {
            const int row = blockIdx.y * TILE + ty * SIDE + i, col = blockIdx.x * TILE + j * THREADS + tx;
            if (row < N && col < N)
                C[row * N + col] = sum[i][j];
        }
}

LAUNCH(.block = {THREADS * THREADS}, .tile = {TILE, TILE});
