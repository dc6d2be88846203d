// 2. WMMA. Adds tensor cores to naive.cu: a warp multiplies whole 16 x 16 matrices.
//
// A fragment is a 16 x 16 matrix that is distributed over the registers of a warp; the hardware defines which thread
// holds which elements. mma_sync multiplies two fragments of half and adds the product to a fragment of float:
// 8192 FLOP with one call of 32 threads, where one multiply-add instruction of a warp has 64.
//
// Each warp computes a 16 x 16 piece of C directly from global memory. For 8192 FLOP it loads 2 * 16 * 16 halves: 8
// FLOP per byte, far below the 200 or so that keep the tensor cores of an H200 busy. Likely, memory therefore limits
// the kernel, although caches answer some of the loads that neighbouring warps have in common.
//
// There is no bounds check inside a piece: M, N and K must be multiples of 16, as at all sizes of the rubric.
#include <lab.h>

#include <mma.h>

using namespace nvcuda;

constexpr int PIECE = 16;        // side of a fragment
constexpr int WARPS_ACROSS = 4;  // pieces of C that a block computes in a row,
constexpr int WARPS_DOWN = 4;    // and in a column

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    const int row = (blockIdx.y * WARPS_DOWN + threadIdx.y) * PIECE;
    const int col = (blockIdx.x * WARPS_ACROSS + threadIdx.x / warpSize) * PIECE;
    if (row >= M || col >= N)
        return;  // the whole warp returns, so no thread is missing in the operations on fragments

    wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float> sum;
    wmma::fill_fragment(sum, 0.0f);

    for (int k = 0; k < K; k += PIECE) {
        wmma::load_matrix_sync(a, A + row * K + k, K);
        wmma::load_matrix_sync(b, B + k * N + col, N);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(C + row * N + col, sum, N, wmma::mem_row_major);
}

LAUNCH(.block = {32 * WARPS_ACROSS, WARPS_DOWN}, .tile = {PIECE * WARPS_ACROSS, PIECE * WARPS_DOWN});
