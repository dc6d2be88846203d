// 6. Register-blocked. Differs from block_tile_1d.cu: a thread computes 4 x 4 elements of C instead of a column of 8.
//
// For each k, a thread reads 4 elements of As and 4 of Bs into registers and computes 16 products from them: half a
// read from shared memory per multiply-add. The column of 8 needs 1.125 reads, and one element per thread needs 2.
// The 16 sums are in registers and independent of each other, so that many multiply-adds can be in flight while a
// read is under way.
//
// A block of 16 x 16 threads computes a 64 x 64 tile of C. Each element loaded from global memory is used 64 times:
// 16 FLOP per byte, as before. Reads from shared memory limit the kernel to half of the H200's peak.
//
// The elements of a thread are THREADS apart, so that neighbouring threads access neighbouring addresses: accesses to
// global memory are coalesced, and the reads from shared memory have no bank conflicts.
//
// -DBLOCK=8 and -DBLOCK=32 keep the tile and change the block: 64 threads with 8 x 8 elements each, or 1024 with
// 2 x 2. Fewer threads reuse more in registers, but hide less of the latency of loads.
#include <lab.h>

#ifndef ELEMENT
#define ELEMENT float  // -DELEMENT=int gives the kernel of the integer lab
#endif

#ifndef BLOCK
#define BLOCK 16
#endif

constexpr int THREADS = BLOCK;              // rows and columns of threads in a block: 8, 16 or 32
constexpr int TILE = 64;                    // side of the tile of C that a block computes
constexpr int PER_THREAD = TILE / THREADS;  // rows and columns of C that a thread computes
constexpr int DEPTH = THREADS;              // step along K

extern "C" __global__ void matmul(const ELEMENT *__restrict__ A, const ELEMENT *__restrict__ B, ELEMENT *__restrict__ C,
                                  int N)
{
    __shared__ ELEMENT As[TILE][DEPTH];
    __shared__ ELEMENT Bs[DEPTH][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row0 = blockIdx.y * TILE + ty;  // the thread's rows are row0, row0 + THREADS, ...
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
#pragma unroll  // sum[][] can be in registers only if the compiler knows its indices
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
