// 8. Vectorised. Adds 128-bit loads and stores to block_tile_2d.cu: one instruction moves four floats.
//
// The tiles and the arithmetic are the same: 32 FLOP per byte. A thread loads its four elements of A, and of B, from
// global memory with one instruction of 128 bits instead of four of 32.
//
// The same holds for shared memory: for one k, a thread reads its 8 elements of As as two float4 instead of eight
// floats. They must be contiguous for that, so the tile of A is stored transposed, As[k][row]. Neighbouring threads
// then write to different rows of As; 4 floats of padding per row put these writes into different banks.
//
// A thread computes four 4 x 4 squares of C: rows 4*ty to 4*ty+3 and those 64 below, in columns 4*tx to 4*tx+3 and
// those 64 to the right. So the 16 threads with the same ty read 16 contiguous float4 of Bs.
//
// A float4 must be aligned to 16 bytes. Rows of A, B and C start at such addresses only if N is a multiple of 4;
// otherwise, load() and store() move single floats. Within a block, loading and computing still do not overlap.
#include <lab.h>

constexpr int SIDE = 16;                 // rows and columns of threads in a block
constexpr int PER_THREAD = 8;            // rows and columns of C that a thread computes, in groups of four
constexpr int TILE = SIDE * PER_THREAD;  // side of the tile of C that a block computes
constexpr int DEPTH = 8;                 // step along K
constexpr int THREADS = SIDE * SIDE;
constexpr int PADDING = 4;

static_assert(TILE * DEPTH == 4 * THREADS, "each thread fetches one quad of A and one of B");

// Four neighbours in a row of an N x N matrix; zeros for those outside it.
__device__ float4 load(const float *__restrict__ matrix, int row, int col, int N)
{
    if (row >= N || col >= N)
        return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const float *from = matrix + row * N + col;
    if (N % 4 == 0)
        return *reinterpret_cast<const float4 *>(from);
    return make_float4(from[0], col + 1 < N ? from[1] : 0.0f, col + 2 < N ? from[2] : 0.0f,
                       col + 3 < N ? from[3] : 0.0f);
}

__device__ void store(float *__restrict__ matrix, int row, int col, int N, const float *quad)
{
    if (row >= N || col >= N)
        return;
    float *to = matrix + row * N + col;
    if (N % 4 == 0) {
        *reinterpret_cast<float4 *>(to) = make_float4(quad[0], quad[1], quad[2], quad[3]);
        return;
    }
#pragma unroll  // so that quad[] stays in registers
    for (int i = 0; i < 4; ++i)
        if (col + i < N)
            to[i] = quad[i];
}

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ __align__(16) float As[DEPTH][TILE + PADDING];
    __shared__ __align__(16) float Bs[DEPTH][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int thread = ty * SIDE + tx;
    const int first_row = blockIdx.y * TILE;
    const int first_col = blockIdx.x * TILE;
    const int a_row = thread / (DEPTH / 4), a_col = thread % (DEPTH / 4) * 4;  // the four elements of A that it loads
    const int b_row = thread / (TILE / 4), b_col = thread % (TILE / 4) * 4;    // and of B

    float sum[PER_THREAD][PER_THREAD] = {};
    for (int first = 0; first < N; first += DEPTH) {
        const float4 a = load(A, first_row + a_row, first + a_col, N);
        As[a_col + 0][a_row] = a.x;
        As[a_col + 1][a_row] = a.y;
        As[a_col + 2][a_row] = a.z;
        As[a_col + 3][a_row] = a.w;
        *reinterpret_cast<float4 *>(&Bs[b_row][b_col]) = load(B, first + b_row, first_col + b_col, N);
        __syncthreads();

#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const float4 above = *reinterpret_cast<const float4 *>(&As[k][ty * 4]);
            const float4 below = *reinterpret_cast<const float4 *>(&As[k][ty * 4 + TILE / 2]);
            const float4 left = *reinterpret_cast<const float4 *>(&Bs[k][tx * 4]);
            const float4 right = *reinterpret_cast<const float4 *>(&Bs[k][tx * 4 + TILE / 2]);
            const float column[] = {above.x, above.y, above.z, above.w, below.x, below.y, below.z, below.w};
            const float row[] = {left.x, left.y, left.z, left.w, right.x, right.y, right.z, right.w};
#pragma unroll
            for (int i = 0; i < PER_THREAD; ++i)
#pragma unroll
                for (int j = 0; j < PER_THREAD; ++j)
                    sum[i][j] += column[i] * row[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < PER_THREAD; ++i) {
        const int row = first_row + i / 4 * (TILE / 2) + ty * 4 + i % 4;
        store(C, row, first_col + tx * 4, N, &sum[i][0]);
        store(C, row, first_col + tx * 4 + TILE / 2, N, &sum[i][4]);
    }
}

LAUNCH(.block = {SIDE, SIDE}, .tile = {TILE, TILE});
