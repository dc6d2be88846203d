// Shared-memory bound: a thread computes 2 x 2 elements, and reads four values for four multiply-adds.
#include <lab.h>

#ifdef FIXED
constexpr int SIDE = 8;  // rows and columns of C that a thread computes
#else
constexpr int SIDE = 2;
#endif
constexpr int THREADS = 16, TILE = THREADS * SIDE, DEPTH = 8;

extern "C" __global__ void __launch_bounds__(THREADS *THREADS)
    matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float As[TILE][DEPTH + 1], Bs[DEPTH][TILE];
    const int thread = threadIdx.x, tx = thread % THREADS, ty = thread / THREADS;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float sum[SIDE][SIDE] = {};
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = thread; i < TILE * DEPTH; i += THREADS * THREADS) {
            const int row = row0 + i / DEPTH, col = col0 + i % TILE, ka = first + i % DEPTH, kb = first + i / TILE;
            As[i / DEPTH][i % DEPTH] = row < N && ka < N ? A[row * N + ka] : 0;
            Bs[i / TILE][i % TILE] = col < N && kb < N ? B[kb * N + col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; ++k)
#pragma unroll
            for (int i = 0; i < SIDE * SIDE; ++i)
                sum[i / SIDE][i % SIDE] += As[i / SIDE * THREADS + ty][k] * Bs[k][i % SIDE * THREADS + tx];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const int row = row0 + i / SIDE * THREADS + ty, col = col0 + i % SIDE * THREADS + tx;
        if (row < N && col < N)
            C[row * N + col] = sum[i / SIDE][i % SIDE];
    }
}

LAUNCH(.block = {THREADS * THREADS}, .tile = {TILE, TILE});
