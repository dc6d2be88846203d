// 7. Two-dimensional block tile. Extends register_blocked.cu from 4 x 4 to 8 x 8 elements per thread.
//
// A block of 16 x 16 threads computes a 128 x 128 tile of C. Each element loaded from global memory is used 128
// times: 32 FLOP per byte, more than the 14 that an H200 needs to keep its arithmetic busy.
//
// For each k, a thread reads 8 elements of As and 8 of Bs into registers and computes 64 products from them: a
// quarter of a read from shared memory per multiply-add instead of half a read, so the limit that these reads set
// rises from half of the H200's peak to all of it. In return, the sums alone take 64 registers, so fewer threads fit
// on a multiprocessor to hide latency, and there are a quarter as many blocks: too few for a large device if N is
// small.
//
// The step along K is 8 instead of 16, so both tiles together still take 8 KiB.
#include <lab.h>

constexpr int SIDE = 16;                 // rows and columns of threads in a block
constexpr int PER_THREAD = 8;            // rows and columns of C that a thread computes
constexpr int TILE = SIDE * PER_THREAD;  // side of the tile of C that a block computes
constexpr int DEPTH = 8;                 // step along K
constexpr int THREADS = SIDE * SIDE;

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int thread = ty * SIDE + tx;
    const int first_row = blockIdx.y * TILE;
    const int first_col = blockIdx.x * TILE;

    float sum[PER_THREAD][PER_THREAD] = {};
    for (int first = 0; first < N; first += DEPTH) {
        // A tile has 1024 elements and the block 256 threads: each thread loads four of A and four of B.
#pragma unroll
        for (int i = thread; i < TILE * DEPTH; i += THREADS) {
            const int a_row = i / DEPTH, a_col = i % DEPTH;
            const int b_row = i / TILE, b_col = i % TILE;
            const int row = first_row + a_row, col = first_col + b_col;
            As[a_row][a_col] = row < N && first + a_col < N ? A[row * N + first + a_col] : 0.0f;
            Bs[b_row][b_col] = first + b_row < N && col < N ? B[(first + b_row) * N + col] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            float a[PER_THREAD], b[PER_THREAD];
#pragma unroll
            for (int i = 0; i < PER_THREAD; ++i) {
                a[i] = As[ty + i * SIDE][k];
                b[i] = Bs[k][tx + i * SIDE];
            }
#pragma unroll
            for (int i = 0; i < PER_THREAD; ++i)
#pragma unroll
                for (int j = 0; j < PER_THREAD; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < PER_THREAD; ++i)
#pragma unroll
        for (int j = 0; j < PER_THREAD; ++j) {
            const int row = first_row + ty + i * SIDE;
            const int col = first_col + tx + j * SIDE;
            if (row < N && col < N)
                C[row * N + col] = sum[i][j];
        }
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {TILE, TILE});
