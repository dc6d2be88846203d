// 3. WMMA with tiles. Adds shared tiles, as in tiled_16.cu, and 4 x 2 fragments of C per warp to wmma.cu.
//
// A block of 8 warps computes 128 x 128 elements of C, each warp 64 x 32 of them. In steps of 32 along K, the block
// copies 128 x 32 halves of A and 32 x 128 of B into shared memory, 8 halves (16 bytes) with each load. Each element
// loaded from global memory is used 128 times: 64 FLOP per byte instead of 8.
//
// For every 16 values of k, a warp loads 4 fragments of A and 2 of B and computes 8 products from them: 0.75 loads
// per product instead of two. Rows of the shared tiles have 8 halves of padding, so that the rows of a fragment begin
// in different banks. Within a block, copies and products do not overlap.
//
// At the edges of A and B, the copies fill the tiles with zeros. Pieces of C that extend past its edge are stored
// through shared memory. So M, N and K can have any value.
#include <lab.h>

#include <mma.h>

using namespace nvcuda;

constexpr int PIECE = 16;            // side of a fragment
constexpr int TILE = 128;            // side of the tile of C that a block computes
constexpr int DEPTH = 32;            // step along K
constexpr int DOWN = 4, ACROSS = 2;  // fragments of C that a warp holds
constexpr int WARPS_ACROSS = TILE / (ACROSS * PIECE);
constexpr int WARPS = TILE / (DOWN * PIECE) * WARPS_ACROSS;
constexpr int THREADS = WARPS * 32;
constexpr int OCTET = 8;        // halves in 16 bytes, the widest load
constexpr int PADDING = OCTET;  // rows stay aligned to 16 bytes

// Copies eight neighbours in a row of a rows x cols matrix; zeros for those outside it.
__device__ void copy(half *to, const half *__restrict__ matrix, int row, int col, int rows, int cols)
{
    const half *from = matrix + row * cols + col;
    if (row < rows && col < cols && cols % OCTET == 0) {  // rows begin and end at multiples of 16 bytes
        *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(from);
        return;
    }
    for (int i = 0; i < OCTET; ++i)
        to[i] = row < rows && col + i < cols ? from[i] : __float2half(0.0f);
}

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul(const half *__restrict__ A, const half *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    __shared__ __align__(32) half As[TILE][DEPTH + PADDING];
    __shared__ __align__(32) half Bs[DEPTH][TILE + PADDING];
    __shared__ __align__(32) float edge[WARPS][PIECE * PIECE];

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int first_row = blockIdx.y * TILE;
    const int first_col = blockIdx.x * TILE;
    const int my_row = warp / WARPS_ACROSS * DOWN * PIECE;    // of the warp's fragments,
    const int my_col = warp % WARPS_ACROSS * ACROSS * PIECE;  // counted in the block's tile

    wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float> sum[DOWN][ACROSS];
#pragma unroll
    for (int i = 0; i < DOWN; ++i)
#pragma unroll
        for (int j = 0; j < ACROSS; ++j)
            wmma::fill_fragment(sum[i][j], 0.0f);

    for (int first = 0; first < K; first += DEPTH) {
#pragma unroll
        for (int i = threadIdx.x; i < TILE * DEPTH / OCTET; i += THREADS) {
            const int a_row = i / (DEPTH / OCTET), a_col = i % (DEPTH / OCTET) * OCTET;
            const int b_row = i / (TILE / OCTET), b_col = i % (TILE / OCTET) * OCTET;
            copy(&As[a_row][a_col], A, first_row + a_row, first + a_col, M, K);
            copy(&Bs[b_row][b_col], B, first + b_row, first_col + b_col, K, N);
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < DEPTH; k += PIECE) {
            wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, half, wmma::row_major> a[DOWN];
            wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, half, wmma::row_major> b[ACROSS];
#pragma unroll
            for (int i = 0; i < DOWN; ++i)
                wmma::load_matrix_sync(a[i], &As[my_row + i * PIECE][k], DEPTH + PADDING);
#pragma unroll
            for (int j = 0; j < ACROSS; ++j)
                wmma::load_matrix_sync(b[j], &Bs[k][my_col + j * PIECE], TILE + PADDING);
#pragma unroll
            for (int i = 0; i < DOWN; ++i)
#pragma unroll
                for (int j = 0; j < ACROSS; ++j)
                    wmma::mma_sync(sum[i][j], a[i], b[j], sum[i][j]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < DOWN; ++i)
#pragma unroll
        for (int j = 0; j < ACROSS; ++j) {
            const int row = first_row + my_row + i * PIECE;
            const int col = first_col + my_col + j * PIECE;
            if (row + PIECE <= M && col + PIECE <= N && N % 8 == 0) {  // rows at multiples of 32 bytes
                wmma::store_matrix_sync(C + row * N + col, sum[i][j], N, wmma::mem_row_major);
                continue;
            }
            wmma::store_matrix_sync(edge[warp], sum[i][j], PIECE, wmma::mem_row_major);
            __syncwarp();
            for (int e = lane; e < PIECE * PIECE; e += 32)
                if (row + e / PIECE < M && col + e % PIECE < N)
                    C[(row + e / PIECE) * N + col + e % PIECE] = edge[warp][e];
            __syncwarp();
        }
}

LAUNCH(.block = {THREADS}, .tile = {TILE, TILE});
