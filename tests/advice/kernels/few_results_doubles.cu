// lab: double
// Shared-memory bound: each thread computes one element, so each multiply-add reads two doubles from shared memory.
#include <lab.h>

#ifdef FIXED
constexpr int SIDE = 8;  // elements of C in each direction that a thread computes
#else
constexpr int SIDE = 1;
#endif
constexpr int THREADS = 16, TILE = THREADS * SIDE, DEPTH = 16;

extern "C" __global__ void matmul(const double *A, const double *B, double *C, int N)
{
    __shared__ double As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    double sum[SIDE][SIDE] = {};
    for (int first = 0; first < N; first += DEPTH) {
#pragma unroll
        for (int at = threadIdx.y * THREADS + threadIdx.x; at < TILE * DEPTH; at += THREADS * THREADS) {
            const int row = blockIdx.y * TILE + at / DEPTH, col = blockIdx.x * TILE + at % TILE;
            const int ka = first + at % DEPTH, kb = first + at / TILE;
            As[at % DEPTH][at / DEPTH] = row < N && ka < N ? A[row * N + ka] : 0;
            Bs[at / TILE][at % TILE] = col < N && kb < N ? B[kb * N + col] : 0;
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
    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) {
            const int row = blockIdx.y * TILE + ty * SIDE + i, col = blockIdx.x * TILE + j * THREADS + tx;
            if (row < N && col < N)
                C[row * N + col] = sum[i][j];
        }
}

LAUNCH(.block = {THREADS, THREADS}, .tile = {TILE, TILE});
