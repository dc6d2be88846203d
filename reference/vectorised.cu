// 8. Vectorised. What it adds over block_tile_2d.cu: four floats move with one instruction, in every place.
//
// Tiles and arithmetic are the same, 32 flops per byte. But a thread now asks for its four elements of A, and of B,
// with one load of 128 bits instead of four of 32: a quarter of the load instructions, and as many bytes on their way
// for a quarter of the requests.
//
// From shared memory it is the same: the 8 elements of As that a thread needs for one k are two reads of float4
// instead of eight of float. For that they must lie side by side, so the tile of A is stored transposed, As[k][row].
// Storing it so writes down a column of As; the 4 floats of padding put these writes into different banks.
//
// A thread's elements are four quads: rows 4*ty to 4*ty+3, and 64 below them, with columns 4*tx to 4*tx+3, and 64
// beside them. Then 16 neighbours read 16 quads that lie side by side, without a gap.
//
// A float4 must be aligned to 16 bytes. Rows of A, B and C begin so only if N is divisible by 4; load() and store() go
// one by one where it is not, and at the right edge.
#include <lab.h>

constexpr int SIDE = 16;                 // threads along each side of the block
constexpr int PER_THREAD = 8;            // elements of C along each side of a thread's share, in two quads
constexpr int TILE = SIDE * PER_THREAD;  // side of the tile of C that a block computes
constexpr int DEPTH = 8;                 // step along K
constexpr int THREADS = SIDE * SIDE;
constexpr int PADDING = 4;

static_assert(TILE * DEPTH == 4 * THREADS, "each thread fetches one quad of A and one of B");

// Four neighbours in a row of an N x N matrix, with zeros for those outside of it.
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
    const int a_row = thread / (DEPTH / 4), a_col = thread % (DEPTH / 4) * 4;  // the quad of A that it fetches
    const int b_row = thread / (TILE / 4), b_col = thread % (TILE / 4) * 4;    // and that of B

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
