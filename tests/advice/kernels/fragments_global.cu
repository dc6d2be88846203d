// lab: tensor_cores
// No reuse between warps: each warp loads its fragments from global memory. The twin's warps share tiles.
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

constexpr int PIECE = 16, TILE = 64, DEPTH = 32, THREADS = 512, OCTET = 8;

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    const int warp = threadIdx.x / 32, first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
    const int row = warp / 4 * PIECE, col = warp % 4 * PIECE;
    const bool inside = first_row + row < M && first_col + col < N;
    wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float> sum;
    wmma::fill_fragment(sum, 0.0f);
#ifdef FIXED
    __shared__ __align__(32) half As[TILE][DEPTH + OCTET], Bs[DEPTH][TILE + OCTET];
    const int i = threadIdx.x % 256, ai = i / 4, aj = i % 4 * OCTET, bi = i / 8, bj = i % 8 * OCTET;
    const uint4 zeros = {};
    for (int first = 0; first < K; first += DEPTH) {
        const bool in_a = first_row + ai < M && first + aj < K, in_b = first + bi < K && first_col + bj < N;
        if (threadIdx.x < 256)
            *reinterpret_cast<uint4 *>(&As[ai][aj]) =
                in_a ? *reinterpret_cast<const uint4 *>(&A[(first_row + ai) * K + first + aj]) : zeros;
        else
            *reinterpret_cast<uint4 *>(&Bs[bi][bj]) =
                in_b ? *reinterpret_cast<const uint4 *>(&B[(first + bi) * N + first_col + bj]) : zeros;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k += PIECE) {
            wmma::load_matrix_sync(a, &As[row][k], DEPTH + OCTET);
            wmma::load_matrix_sync(b, &Bs[k][col], TILE + OCTET);
            wmma::mma_sync(sum, a, b, sum);
        }
        __syncthreads();
    }
#else
    if (inside)
        for (int k = 0; k < K; k += PIECE) {
            wmma::load_matrix_sync(a, A + (first_row + row) * K + k, K);
            wmma::load_matrix_sync(b, B + k * N + first_col + col, N);
            wmma::mma_sync(sum, a, b, sum);
        }
#endif
    if (inside)
        wmma::store_matrix_sync(C + (first_row + row) * N + first_col + col, sum, N, wmma::mem_row_major);
}

LAUNCH(.block = {THREADS}, .tile = {TILE, TILE});
