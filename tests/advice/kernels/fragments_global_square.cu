// lab: tensor_cores
// No reuse between warps: each warp computes 2 x 2 fragments of C straight from global memory.
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

constexpr int PIECE = 16, SIDE = 2, TILE = 2 * SIDE * PIECE, OCTET = 8, LINE = TILE + OCTET, THREADS = 128;
using FragmentA = wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, half, wmma::row_major>;
using FragmentB = wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, half, wmma::row_major>;
using Sum = wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float>;

__device__ void step(Sum (&sum)[SIDE][SIDE], const half *a, int a_line, const half *b, int b_line)
{
    FragmentA as[SIDE];
    FragmentB bs[SIDE];
#pragma unroll
    for (int i = 0; i < SIDE; ++i) {
        wmma::load_matrix_sync(as[i], a + i * PIECE * a_line, a_line);
        wmma::load_matrix_sync(bs[i], b + i * PIECE, b_line);
    }
#pragma unroll
    for (int i = 0; i < SIDE * SIDE; ++i)
        wmma::mma_sync(sum[i / SIDE][i % SIDE], as[i / SIDE], bs[i % SIDE], sum[i / SIDE][i % SIDE]);
}

#ifdef FIXED
__device__ void fill(half (&tile)[TILE][LINE], const half *from, int line, int rows, int columns)
{
    const uint4 zeros = {};
    for (int i = threadIdx.x; i < TILE * TILE / OCTET; i += THREADS) {
        const int row = i / (TILE / OCTET), col = i % (TILE / OCTET) * OCTET;
        const bool inside = row < rows && col < columns;
        *reinterpret_cast<uint4 *>(&tile[row][col]) =
            inside ? *reinterpret_cast<const uint4 *>(&from[row * line + col]) : zeros;
    }
}
#endif

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    const int warp = threadIdx.x / 32, first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
    const int row = warp / 2 * SIDE * PIECE, col = warp % 2 * SIDE * PIECE;
    Sum sum[SIDE][SIDE];
#pragma unroll
    for (int i = 0; i < SIDE * SIDE; ++i)
        wmma::fill_fragment(sum[i / SIDE][i % SIDE], 0.0f);
#ifdef FIXED
    __shared__ __align__(32) half As[TILE][LINE], Bs[TILE][LINE];
    for (int first = 0; first < K; first += TILE) {
        fill(As, &A[first_row * K + first], K, M - first_row, K - first);
        fill(Bs, &B[first * N + first_col], N, K - first, N - first_col);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k += PIECE)
            step(sum, &As[row][k], LINE, &Bs[k][col], LINE);
        __syncthreads();
    }
#else
    if (first_row + row + SIDE * PIECE <= M && first_col + col + SIDE * PIECE <= N)
        for (int k = 0; k < K; k += PIECE)
            step(sum, A + (first_row + row) * K + k, K, B + k * N + first_col + col, N);
    else  // at the edges, with fragments that C has
        for (int k = 0; k < K; k += PIECE)
            for (int i = 0; i < SIDE * SIDE; ++i)
                if (first_row + row + i / SIDE * PIECE < M && first_col + col + i % SIDE * PIECE < N) {
                    FragmentA a;
                    FragmentB b;
                    wmma::load_matrix_sync(a, A + (first_row + row + i / SIDE * PIECE) * K + k, K);
                    wmma::load_matrix_sync(b, B + k * N + first_col + col + i % SIDE * PIECE, N);
                    wmma::mma_sync(sum[i / SIDE][i % SIDE], a, b, sum[i / SIDE][i % SIDE]);
                }
#endif
#pragma unroll
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const int r = first_row + row + i / SIDE * PIECE, c = first_col + col + i % SIDE * PIECE;
        if (r < M && c < N)
            wmma::store_matrix_sync(&C[r * N + c], sum[i / SIDE][i % SIDE], N, wmma::mem_row_major);
    }
}

LAUNCH(.block = {THREADS}, .tile = {TILE, TILE});
