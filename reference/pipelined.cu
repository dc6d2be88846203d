// 10. Pipelined. Overlaps the loads of warp_tiled.cu with the arithmetic, and chooses the tile by N.
//
// - Asynchronous copies. `__pipeline_memcpy_async` copies elements from global to shared memory without using
//   registers, and three steps along K are being copied while a fourth is computed. The copies transpose A, so that
//   both operands are read four elements at a time.
// - More register reuse. A thread computes 16 x 8 elements of C: 128 multiply-adds for 24 reads, 0.1875 each. With
//   8 x 8 (0.25), shared memory would be as busy as the arithmetic units.
// - Addresses are computed once, outside the loop. A block at the edge reads the last row or column again instead of
//   checking bounds for each element; what it computes from that is never stored. Only the last step along K checks
//   bounds. On an H200, this reduces N = 2048 from 448 to 407 us.
// - Prefetching into registers. The elements for the next k, also those beyond the barrier, are read into registers
//   while the products for this k are computed, which hides the latency of shared memory: 367 us instead of 407.
// - Tiles that fit the size. 128 x 128 keeps all 132 multiprocessors busy at N = 2048, and only 4 of them at N = 256.
//   Small matrices therefore have small tiles, and the warps of a block form two or four teams: each computes its
//   part of every step along K, and the sums are added at the end ("split K").
// - No tiles for one or two rows or columns beyond whole tiles (N = 1025). Tiles there would be almost empty: 144 us
//   instead of 75. Blocks of their own compute these elements as dot products.
//
// With tiles of 128 x 128, each element loaded from global memory is used 128 times: 32 FLOP per byte.
//
// The grid has one block for each of the smallest tiles. Blocks without work return at once, which takes 0.3 % of the
// time at N = 2048, where the kernel reaches 93 % of cuBLAS and 70 % of the H200's peak.
#include <cuda_pipeline_primitives.h>
#include <lab.h>

constexpr int WARP = 32;
constexpr int WARPS = 4;
constexpr int THREADS = WARPS * WARP;
constexpr int LANES_X = 8;  // the 32 lanes of a warp are 4 x 8; each computes pieces of 4 x 4 elements
constexpr int LANES_Y = WARP / LANES_X;
constexpr int PIECE = 4;
constexpr int STAGES = 4;  // steps along K in shared memory: one is computed, three are being copied
constexpr int FEW = 2;     // at most so many rows or columns beyond whole tiles are computed as dot products

struct Corner {
    int row, column;
};

__device__ __forceinline__ float4 &as_piece(float &first) { return reinterpret_cast<float4 &>(first); }
__device__ __forceinline__ const float4 &as_piece(const float &first)
{
    return reinterpret_cast<const float4 &>(first);
}

// A block's tile of C, HEIGHT x WIDTH, computed in steps of STEP along K; a thread computes ROWS x COLUMNS elements.
template <int HEIGHT_, int WIDTH_, int STEP, int ROWS, int COLUMNS>
struct Tile {
    static constexpr int HEIGHT = HEIGHT_, WIDTH = WIDTH_;
    static constexpr int WARP_HEIGHT = LANES_Y * ROWS, WARP_WIDTH = LANES_X * COLUMNS;
    static constexpr int WARPS_ACROSS = WIDTH / WARP_WIDTH;
    static constexpr int TEAM = HEIGHT / WARP_HEIGHT * WARPS_ACROSS * WARP;  // threads that compute the tile once
    static constexpr int TEAMS = THREADS / TEAM;                             // each computes its part of every step
    static constexpr int PART = STEP / TEAMS;
    static constexpr int A_LINE = HEIGHT + PIECE;  // As[k][row]; the padding puts one row of A into different banks
    static constexpr int A_SIZE = STEP * A_LINE;
    static constexpr int STAGE = A_SIZE + STEP * WIDTH;
    static constexpr int SUMS = TEAMS / 2 * TEAM * ROWS * COLUMNS;
    static constexpr int FLOATS = STAGES * STAGE > SUMS ? STAGES * STAGE : SUMS;

    // What this thread copies in every step. Addresses are computed once; a step only adds to them. One instruction
    // copies VECTOR elements of B: 4 if N is a multiple of 4, since only then rows start at multiples of 16 bytes.
    template <int VECTOR>
    struct Copier {
        static constexpr int A_ROWS = THREADS / STEP, A_ROUNDS = HEIGHT / A_ROWS;
        static constexpr int B_ROUNDS = STEP * WIDTH / (THREADS * VECTOR), B_LINES = THREADS * VECTOR / WIDTH;
        static_assert(A_ROUNDS * A_ROWS == HEIGHT && B_LINES * B_ROUNDS == STEP, "every thread copies as much");
        const float *A, *B;
        int N, a_to, b_to;
        unsigned b_from, a_from[A_ROUNDS];

        __device__ __forceinline__ Copier(const float *A, const float *B, int N, Corner at) : A(A), B(B), N(N)
        {
            const int thread = threadIdx.x, k = thread % STEP, row = thread / STEP;
            a_to = k * A_LINE + row;
            b_to = thread * VECTOR;
#pragma unroll
            for (int i = 0; i < A_ROUNDS; ++i)
                a_from[i] = min(at.row + row + i * A_ROWS, N - 1) * N + k;
            b_from = b_to / WIDTH * N + min(at.column + b_to % WIDTH, N - VECTOR);
        }

        __device__ __forceinline__ void start(int first, float *stage) const
        {
            if (first + STEP <= N)
                start_whole(first, stage);
            else if (first < N)
                start_last(first, stage);
            __pipeline_commit();
        }

        __device__ __forceinline__ void start_whole(int first, float *stage) const
        {
#pragma unroll
            for (int i = 0; i < A_ROUNDS; ++i)
                __pipeline_memcpy_async(&stage[a_to + i * A_ROWS], A + first + a_from[i], sizeof(float));
#pragma unroll
            for (int i = 0; i < B_ROUNDS; ++i)
                __pipeline_memcpy_async(&stage[A_SIZE + b_to + i * THREADS * VECTOR],
                                        B + static_cast<unsigned>(first * N) + (b_from + i * B_LINES * N),
                                        VECTOR * sizeof(float));
        }

        // Elements beyond K become zeros; the last argument is the number of bytes to fill with zeros.
        __device__ __forceinline__ void start_last(int first, float *stage) const
        {
            const bool in_a = first + static_cast<int>(threadIdx.x) % STEP < N;
#pragma unroll
            for (int i = 0; i < A_ROUNDS; ++i)
                __pipeline_memcpy_async(&stage[a_to + i * A_ROWS], in_a ? A + first + a_from[i] : A, sizeof(float),
                                        in_a ? 0 : sizeof(float));
#pragma unroll
            for (int i = 0; i < B_ROUNDS; ++i) {
                const bool in_b = first + b_to / WIDTH + i * B_LINES < N;
                __pipeline_memcpy_async(&stage[A_SIZE + b_to + i * THREADS * VECTOR],
                                        in_b ? B + first * N + b_from + i * B_LINES * N : B, VECTOR * sizeof(float),
                                        in_b ? 0 : VECTOR * sizeof(float));
            }
        }
    };

    static __device__ __forceinline__ void read(const float *As, const float *Bs, float (&a)[ROWS], float (&b)[COLUMNS])
    {
#pragma unroll
        for (int i = 0; i < ROWS; i += PIECE)
            as_piece(a[i]) = as_piece(As[i * LANES_Y]);
#pragma unroll
        for (int j = 0; j < COLUMNS; j += PIECE)
            as_piece(b[j]) = as_piece(Bs[j * LANES_X]);
    }

    // Half of the teams pass their sums to the other half, until one team has the total.
    static __device__ __forceinline__ void add_up(float *shared, int team, int member, float (&sum)[ROWS][COLUMNS])
    {
        __pipeline_wait_prior(0);
#pragma unroll
        for (int half = TEAMS / 2; half > 0; half /= 2) {
            float *place = shared + team % half * TEAM * ROWS * COLUMNS + member;
            __syncthreads();
            if (team >= half && team < 2 * half) {
#pragma unroll
                for (int i = 0; i < ROWS * COLUMNS; ++i)
                    place[i * TEAM] = sum[i / COLUMNS][i % COLUMNS];
            }
            __syncthreads();
            if (team < half) {
#pragma unroll
                for (int i = 0; i < ROWS * COLUMNS; ++i)
                    sum[i / COLUMNS][i % COLUMNS] += place[i * TEAM];
            }
        }
    }

    template <int VECTOR>
    static __device__ __forceinline__ void store(float *C, int N, Corner mine, const float (&sum)[ROWS][COLUMNS])
    {
#pragma unroll
        for (int i = 0; i < ROWS; ++i) {
            const int row = mine.row + i / PIECE * LANES_Y * PIECE + i % PIECE;
#pragma unroll
            for (int j = 0; j < COLUMNS; j += VECTOR) {
                const int column = mine.column + j / PIECE * LANES_X * PIECE + j % PIECE;
                if (row >= N || column >= N)
                    continue;
                if constexpr (VECTOR == PIECE)
                    as_piece(C[row * N + column]) = as_piece(sum[i][j]);
                else
                    C[row * N + column] = sum[i][j];
            }
        }
    }

    template <int VECTOR>
    static __device__ __forceinline__ void compute(const float *A, const float *B, float *C, int N, Corner at,
                                                   float *shared)
    {
        const int team = threadIdx.x / TEAM, member = threadIdx.x % TEAM;
        const int warp = member / WARP, lane = member % WARP;
        const Corner mine = {warp / WARPS_ACROSS * WARP_HEIGHT + lane / LANES_X * PIECE,
                             warp % WARPS_ACROSS * WARP_WIDTH + lane % LANES_X * PIECE};
        const Copier<VECTOR> copier(A, B, N, at);
#pragma unroll
        for (int s = 0; s < STAGES - 1; ++s)
            copier.start(s * STEP, shared + s * STAGE);

        float sum[ROWS][COLUMNS] = {};
        float a[2][ROWS], b[2][COLUMNS];  // the elements for this k, and for the next
        const float *As = shared + team * PART * A_LINE + mine.row;
        const float *Bs = shared + A_SIZE + team * PART * WIDTH + mine.column;
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        read(As, Bs, a[0], b[0]);

        int now = 0, free = STAGES - 1;
        for (int first = 0; first < N; first += STEP) {
#pragma unroll
            for (int k = 0; k < PART; ++k) {
                if (k == 0) {
                    copier.start(first + (STAGES - 1) * STEP, shared + free * STAGE);
                    free = free + 1 == STAGES ? 0 : free + 1;
                }
                if (k == PART - 1) {  // the next elements are in the next stage
                    __pipeline_wait_prior(STAGES - 2);
                    __syncthreads();
                    now = now + 1 == STAGES ? 0 : now + 1;
                }
                const int next = (k + 1) % PART;
                read(As + now * STAGE + next * A_LINE, Bs + now * STAGE + next * WIDTH, a[(k + 1) % 2], b[(k + 1) % 2]);
#pragma unroll
                for (int i = 0; i < ROWS; ++i)
#pragma unroll
                    for (int j = 0; j < COLUMNS; ++j)
                        sum[i][j] += a[k % 2][i] * b[k % 2][j];
            }
        }
        if constexpr (TEAMS > 1)
            add_up(shared, team, member, sum);
        if (team == 0)
            store<VECTOR>(C, N, {at.row + mine.row, at.column + mine.column}, sum);
    }
};

// An element in a column to the right of the tiles: a warp computes it, and its lanes divide K among themselves.
__device__ void dot_by_lanes(const float *A, const float *B, float *C, int N, int row, int column)
{
    const int lane = threadIdx.x % WARP;
    float sum = 0.0f;
#pragma unroll 8
    for (int k = lane; k < N; k += WARP)
        sum += A[row * N + k] * B[k * N + column];
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0)
        C[row * N + column] = sum;
}

// Elements in a row below the tiles: each lane computes one column, and the warps divide K among themselves.
__device__ void dot_by_warps(const float *A, const float *B, float *C, int N, int row, int column, float *shared)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    float sum = 0.0f;
    if (column < N) {
#pragma unroll 16
        for (int k = warp; k < N; k += WARPS)
            sum += A[row * N + k] * B[k * N + column];
    }
    __syncthreads();
    shared[threadIdx.x] = sum;
    __syncthreads();
    if (warp == 0 && column < N) {
        for (int other = 1; other < WARPS; ++other)
            sum += shared[other * WARP + lane];
        C[row * N + column] = sum;
    }
}

constexpr int ROWS_OF_A = 8 * WARPS;  // rows of A for which one block computes dot products

// Computes the rows and columns beyond `whole`. `block` counts only the blocks that have no tile.
__device__ void finish_edges(const float *A, const float *B, float *C, int N, Corner whole, int block, float *shared)
{
    const int below = whole.row < N ? (N + WARP - 1) / WARP : 0;
    if (block < below) {
        for (int row = whole.row; row < N; ++row)
            dot_by_warps(A, B, C, N, row, block * WARP + static_cast<int>(threadIdx.x) % WARP, shared);
        return;
    }
    const int first = (block - below) * ROWS_OF_A + static_cast<int>(threadIdx.x) / WARP;
    for (int row = first; row < min(first + ROWS_OF_A, min(whole.row, N)); row += WARPS)
        for (int column = whole.column; column < N; ++column)
            dot_by_lanes(A, B, C, N, row, column);
}

template <typename T>
__device__ __forceinline__ void cover(const float *A, const float *B, float *C, int N, int block, float *shared)
{
    const int down = N / T::HEIGHT + (N % T::HEIGHT > FEW), across = N / T::WIDTH + (N % T::WIDTH > FEW);
    const Corner at = {block / max(across, 1) * T::HEIGHT, block % max(across, 1) * T::WIDTH};
    if (block >= down * across)
        finish_edges(A, B, C, N, {down * T::HEIGHT, across * T::WIDTH}, block - down * across, shared);
    else if (N % PIECE == 0)
        T::template compute<PIECE>(A, B, C, N, at, shared);
    else
        T::template compute<1>(A, B, C, N, at, shared);
}

using Large = Tile<128, 128, 8, 16, 8>;
using Middle = Tile<64, 64, 16, 8, 8>;
using Small = Tile<32, 32, 32, 4, 4>;
using Smallest = Tile<16, 32, 32, 4, 4>;

constexpr int larger(int one, int other) { return one > other ? one : other; }
constexpr int FLOATS = larger(larger(Large::FLOATS, Middle::FLOATS), larger(Small::FLOATS, Smallest::FLOATS));

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    extern __shared__ float4 memory[];
    float *shared = reinterpret_cast<float *>(memory);
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    // From these sizes on, a tile is faster on an H200 than the next smaller one.
    if (N >= 1400)
        cover<Large>(A, B, C, N, block, shared);
    else if (N >= 600)
        cover<Middle>(A, B, C, N, block, shared);
    else if (N >= 400)
        cover<Small>(A, B, C, N, block, shared);
    else
        cover<Smallest>(A, B, C, N, block, shared);
}

LAUNCH(.block = {THREADS}, .tile = {Smallest::WIDTH, Smallest::HEIGHT}, .shared = FLOATS * sizeof(float));
