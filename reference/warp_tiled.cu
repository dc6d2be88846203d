// 9. Warp-tiled. Differs from vectorised.cu in the shape of what a warp computes: 64 x 32 elements of C, not long
// strips.
//
// The 32 threads of a warp read shared memory together, so what counts is how many different elements they need. In
// vectorised.cu, a warp is 2 x 16 threads: for each k it needs 16 elements of As and 128 of Bs for its 2048
// multiply-adds. Here, a warp is 8 x 4 threads: it needs 64 elements of As and 32 of Bs, 96 instead of 144. Threads
// that read the same element share one read (a broadcast).
//
// The work is now divided at three levels: 128 x 128 elements per block, 64 x 32 for each of its 8 warps, and four
// squares of 4 x 4 per thread. A step of 16 along K instead of 8 halves the number of barriers. It is still 32 FLOP
// per byte of global memory, and within a block, loading and computing still do not overlap.
#include <lab.h>

constexpr int WARP_ROWS = 64, WARP_COLS = 32;  // the tile of C that a warp computes
constexpr int QUAD_ROWS = 32, QUAD_COLS = 16;  // what its 8 x 4 threads cover with a 4 x 4 square each
constexpr int TILE = 128;                      // side of the tile of C that a block computes
constexpr int DEPTH = 16;                      // step along K
constexpr int WARPS_ACROSS = TILE / WARP_COLS;
constexpr int THREADS = TILE / WARP_ROWS * WARPS_ACROSS * 32;
constexpr int PADDING = 4;  // two-way instead of four-way bank conflicts of the writes to As

// Four neighbours in a row of an N x N matrix; zeros for those outside it.
__device__ float4 load(const float *__restrict__ matrix, int row, int col, int N)
{
    if (row >= N || col >= N)
        return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const float *from = matrix + row * N + col;
    if (N % 4 == 0)  // rows begin at multiples of 16 bytes
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

    const int thread = threadIdx.x;
    const int warp = thread / 32, lane = thread % 32;
    const int first_row = blockIdx.y * TILE;
    const int first_col = blockIdx.x * TILE;
    const int my_row = warp / WARPS_ACROSS * WARP_ROWS + lane / 4 * 4;  // of the thread's first 4 x 4 square,
    const int my_col = warp % WARPS_ACROSS * WARP_COLS + lane % 4 * 4;  // counted in the block's tile

    float sum[8][8] = {};
    for (int first = 0; first < N; first += DEPTH) {
        // A tile has 512 float4 and the block 256 threads: each thread loads two of A and two of B.
#pragma unroll
        for (int i = thread; i < TILE * DEPTH / 4; i += THREADS) {
            const int a_row = i / (DEPTH / 4), a_col = i % (DEPTH / 4) * 4;
            const int b_row = i / (TILE / 4), b_col = i % (TILE / 4) * 4;
            const float4 a = load(A, first_row + a_row, first + a_col, N);
            As[a_col + 0][a_row] = a.x;
            As[a_col + 1][a_row] = a.y;
            As[a_col + 2][a_row] = a.z;
            As[a_col + 3][a_row] = a.w;
            *reinterpret_cast<float4 *>(&Bs[b_row][b_col]) = load(B, first + b_row, first_col + b_col, N);
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const float4 above = *reinterpret_cast<const float4 *>(&As[k][my_row]);
            const float4 below = *reinterpret_cast<const float4 *>(&As[k][my_row + QUAD_ROWS]);
            const float4 left = *reinterpret_cast<const float4 *>(&Bs[k][my_col]);
            const float4 right = *reinterpret_cast<const float4 *>(&Bs[k][my_col + QUAD_COLS]);
            const float column[] = {above.x, above.y, above.z, above.w, below.x, below.y, below.z, below.w};
            const float row[] = {left.x, left.y, left.z, left.w, right.x, right.y, right.z, right.w};
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    sum[i][j] += column[i] * row[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int row = first_row + my_row + i / 4 * QUAD_ROWS + i % 4;
        store(C, row, first_col + my_col, N, &sum[i][0]);
        store(C, row, first_col + my_col + QUAD_COLS, N, &sum[i][4]);
    }
}

LAUNCH(.block = {THREADS}, .tile = {TILE, TILE});
