// 5. One-dimensional block tile. What it adds over tiled_32.cu: a thread computes 8 elements of a column of C.
//
// A block of 512 threads computes a 64 x 64 tile of C. It steps along K by 8, so that one tile of A (64 x 8) and one of
// B (8 x 64) have 512 elements: each thread fetches one of each. Every element that came from global memory is used 64
// times: 16 flops per byte, twice those of the 32 x 32 tile, with half the threads.
//
// In each step a thread reads one element of Bs, keeps it in a register, and multiplies it by 8 elements of As: 9 reads
// from shared memory for 8 multiply-adds, 1.125 each instead of 2. The 8 sums do not depend on each other, so 8
// multiply-adds can be under way at once.
#include <lab.h>

constexpr int TILE = 64;       // side of the tile of C that a block computes
constexpr int DEPTH = 8;       // step along K
constexpr int PER_THREAD = 8;  // elements of C below each other that a thread computes
constexpr int THREADS = TILE * TILE / PER_THREAD;

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int N)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];

    const int tx = threadIdx.x % TILE;  // the thread's column in the tile
    const int ty = threadIdx.x / TILE;  // its rows are ty * PER_THREAD and the following
    const int first_row = blockIdx.y * TILE;
    const int first_col = blockIdx.x * TILE;
    const int col = first_col + tx;

    // What the thread fetches. Eight neighbours in a row of A are one sector of 32 bytes.
    const int a_row = threadIdx.x / DEPTH, a_col = threadIdx.x % DEPTH;

    float sum[PER_THREAD] = {};
    for (int first = 0; first < N; first += DEPTH) {
        // Zeros stand for what lies outside the matrices: they add nothing to the sums.
        const int row = first_row + a_row;
        As[a_row][a_col] = row < N && first + a_col < N ? A[row * N + first + a_col] : 0.0f;
        Bs[ty][tx] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const float b = Bs[k][tx];
#pragma unroll  // sum[] can only live in registers when its indices are known to the compiler
            for (int i = 0; i < PER_THREAD; ++i)
                sum[i] += As[ty * PER_THREAD + i][k] * b;  // a warp is in one row: all read the same element of As
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < PER_THREAD; ++i) {
        const int row = first_row + ty * PER_THREAD + i;
        if (row < N && col < N)
            C[row * N + col] = sum[i];
    }
}

LAUNCH(.block = {THREADS}, .tile = {TILE, TILE});
