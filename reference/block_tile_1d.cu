// 5. One-dimensional block tile. Adds register reuse to tiled_32.cu: a thread computes 8 elements in a column of C.
//
// A block of 512 threads computes a 64 x 64 tile of C. With a step of 8 along K, the tiles of A (64 x 8) and B
// (8 x 64) have 512 elements each, one for each thread to load. Each element loaded from global memory is used 64
// times: 16 FLOP per byte, twice as many as with the 32 x 32 tile, with half as many threads.
//
// In each step of k, a thread reads one element of Bs into a register and multiplies it by 8 elements of As: 9 reads
// from shared memory for 8 multiply-adds, 1.125 per multiply-add instead of 2. The 8 sums are independent, so 8
// multiply-adds can be in flight at a time. Likely, the reads from shared memory still limit the kernel.
#include <lab.h>

constexpr int TILE = 64;       // side of the tile of C that a block computes
constexpr int DEPTH = 8;       // step along K
constexpr int PER_THREAD = 8;  // elements in a column of C that a thread computes
constexpr int THREADS = TILE * TILE / PER_THREAD;

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                  int N)
{
    __shared__ float As[TILE][DEPTH];
    __shared__ float Bs[DEPTH][TILE];

    const int tx = threadIdx.x % TILE;  // the thread's column in the tile
    const int ty = threadIdx.x / TILE;  // its rows are ty * PER_THREAD and the seven below
    const int first_row = blockIdx.y * TILE;
    const int first_col = blockIdx.x * TILE;
    const int col = first_col + tx;

    // The element of A that the thread loads. Eight neighbours in a row of A are one sector of 32 bytes.
    const int a_row = threadIdx.x / DEPTH, a_col = threadIdx.x % DEPTH;

    float sum[PER_THREAD] = {};
    for (int first = 0; first < N; first += DEPTH) {
        // Elements outside the matrices are loaded as zeros, which add nothing to the sums.
        const int row = first_row + a_row;
        As[a_row][a_col] = row < N && first + a_col < N ? A[row * N + first + a_col] : 0.0f;
        Bs[ty][tx] = first + ty < N && col < N ? B[(first + ty) * N + col] : 0.0f;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const float b = Bs[k][tx];
#pragma unroll  // sum[] can be in registers only if the compiler knows its indices
            for (int i = 0; i < PER_THREAD; ++i)
                sum[i] += As[ty * PER_THREAD + i][k] * b;  // a warp has one ty: all read the same element of As
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
