// 6. Register-blocked. What it adds over block_tile_1d.cu: a thread computes a square of C, 4 x 4, instead of a column.
//
// In the tiled kernels each multiply-add waits for two reads from shared memory, with a column of 8 for 1.125. Here a
// thread reads 4 elements of As and 4 of Bs into registers and makes 16 products of them: half a read per
// multiply-add. The 16 sums live in registers and do not depend on each other, so the arithmetic units always have
// something to do while a load is under way.
//
// A block has 16 x 16 threads and therefore computes a 64 x 64 tile of C. Every element that came from global
// memory is used 64 times: 16 flops per byte.
//
// A thread's elements lie THREADS apart, not side by side, so that neighbouring threads always touch neighbouring
// addresses: in global memory (coalesced) as in shared memory (no two threads of a warp need the same bank).
//
// -DBLOCK=8 and -DBLOCK=32 keep the tile and change the block: 64 threads with 8 x 8 elements each, or 1024 with
// 2 x 2. Fewer threads reuse more in registers, but hide less of the time that a load takes.
#include <lab.h>

#ifndef ELEMENT
#define ELEMENT float  // -DELEMENT=int makes it the integer lab's kernel
#endif

#ifndef BLOCK
#define BLOCK 16
#endif

constexpr int THREADS = BLOCK;              // along each side of the block: 8, 16 or 32
constexpr int TILE = 64;                    // side of the tile of C that a block computes
constexpr int PER_THREAD = TILE / THREADS;  // elements of C along each side of a thread's share
constexpr int DEPTH = THREADS;              // step along K

extern "C" __global__ void matmul(const ELEMENT *__restrict__ A, const ELEMENT *__restrict__ B, ELEMENT *__restrict__ C,
                                  int N)
{
    __shared__ ELEMENT As[TILE][DEPTH];
    __shared__ ELEMENT Bs[DEPTH][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.y * TILE + ty;  // the thread's rows are row0, row0 + THREADS and so on
    const int col0 = blockIdx.x * TILE + tx;  // and so are its columns

    ELEMENT sum[PER_THREAD][PER_THREAD] = {};
    for (int first = 0; first < N; first += DEPTH) {
        for (int i = 0; i < PER_THREAD; ++i) {
            const int row = row0 + i * THREADS;
            const int col = col0 + i * THREADS;
            As[ty + i * THREADS][tx] = row < N && first + tx < N ? A[row * N + first + tx] : 0;
            Bs[ty][tx + i * THREADS] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0;
        }
        __syncthreads();

        for (int k = 0; k < DEPTH; ++k) {
            ELEMENT a[PER_THREAD], b[PER_THREAD];
#pragma unroll
            for (int i = 0; i < PER_THREAD; ++i) {
                a[i] = As[ty + i * THREADS][k];
                b[i] = Bs[k][tx + i * THREADS];
            }
#pragma unroll  // sum[][] can only live in registers when its indices are known to the compiler
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
            const int row = row0 + i * THREADS;
            const int col = col0 + j * THREADS;
            if (row < N && col < N)
                C[row * N + col] = sum[i][j];
        }
}

LAUNCH(.block = {THREADS, THREADS}, .tile = {TILE, TILE});
