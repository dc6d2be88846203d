// lab: double
// No reuse: each multiply-add loads two doubles from global memory. The twin computes 4 x 4 elements per thread from tiles.
#include <lab.h>

#ifdef FIXED
constexpr int SIDE = 4;
#else
constexpr int SIDE = 1;
#endif
constexpr int THREADS = 16, TILE = THREADS * SIDE;

extern "C" __global__ void matmul(const double *A, const double *B, double *C, int N)
{
    const int tx = threadIdx.x, ty = threadIdx.y, first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
    double sum[SIDE][SIDE] = {};
#ifdef FIXED
    __shared__ double As[THREADS][TILE + 1], Bs[THREADS][TILE];
    for (int first = 0; first < N; first += THREADS) {
        for (int i = 0; i < TILE; i += THREADS) {
            const int row = first_row + i + ty, col = first_col + i + tx;
            As[tx][i + ty] = row < N && first + tx < N ? A[row * N + first + tx] : 0;
            Bs[ty][i + tx] = col < N && first + ty < N ? B[(first + ty) * N + col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < THREADS; ++k)
#pragma unroll
            for (int i = 0; i < SIDE * SIDE; ++i)
                sum[i / SIDE][i % SIDE] += As[k][ty * SIDE + i / SIDE] * Bs[k][i % SIDE * THREADS + tx];
        __syncthreads();
    }
#else
    if (first_row + ty < N && first_col + tx < N)
        for (int k = 0; k < N; ++k)
            sum[0][0] += A[(first_row + ty) * N + k] * B[k * N + first_col + tx];
#endif
#pragma unroll
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const int row = first_row + ty * SIDE + i / SIDE, col = first_col + i % SIDE * THREADS + tx;
        if (row < N && col < N)
            C[row * N + col] = sum[i / SIDE][i % SIDE];
    }
}

LAUNCH(.block = {THREADS, THREADS}, .tile = {TILE, TILE});
