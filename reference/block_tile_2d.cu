// 7. Two-dimensional block tile. What it adds over register_blocked.cu: everything twice as large, except the step.
//
// A block of 16 x 16 threads computes a 128 x 128 tile of C, and a thread 8 x 8 elements of it. Every element that came
// from global memory is used 128 times: 32 flops per byte, beyond the 14 that an H200 needs to be busy with arithmetic.
//
// For each step of k a thread reads 8 elements of As and 8 of Bs into registers and makes 64 products of them: a
// quarter of a read from shared memory per multiply-add, where 4 x 4 elements take half a read. The price is 64
// registers for the sums alone, hence fewer threads on a multiprocessor; and since tiles of C are four times as large,
// there are a quarter as many blocks, too few for a large device when N is small.
//
// The step along K shrinks to 8, so that the wider tiles fit: 128 x 8 floats of A and of B are 8 KiB together.
#include <lab.h>

constexpr int SIDE = 16;                 // threads along each side of the block
constexpr int PER_THREAD = 8;            // elements of C along each side of a thread's share
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
        // A tile has 1024 elements and the block 256 threads: four of A and four of B for each.
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
