// Too few blocks for the device: at N = 1024, tiles of 128 x 128 are 64 blocks.
// size: 1024
#include <lab.h>

#ifdef FIXED
constexpr int SIDE = 4;  // elements of C in each direction that a thread computes
#else
constexpr int SIDE = 8;
#endif
constexpr int THREADS = 16, TILE = THREADS * SIDE, DEPTH = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum[SIDE][SIDE] = {};
    for (int first = 0; first < N; first += DEPTH) {
#pragma unroll
        for (int i = 0; i < SIDE; ++i) {
            const int row = blockIdx.y * TILE + i * THREADS + ty, col = blockIdx.x * TILE + i * THREADS + tx;
            As[tx][i * THREADS + ty] = row < N && first + tx < N ? A[row * N + first + tx] : 0;
            Bs[ty][i * THREADS + tx] = col < N && first + ty < N ? B[(first + ty) * N + col] : 0;
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
