// 2. WMMA. What it adds over naive.cu: a warp multiplies whole 16 x 16 matrices on the tensor cores.
//
// A fragment is a 16 x 16 matrix that is spread over the registers of a warp; which thread holds what is the hardware's
// business. mma_sync multiplies two of half and adds the product to a third of float: 8192 flops with one call of 32
// threads, where one multiply-add of a warp makes 64.
//
// Each warp computes one 16 x 16 piece of C straight from global memory. It reads 2 * 16 * 16 halves for 8192 flops:
// 8 flops per byte, as the tiled kernel of 16 x 16 would in half, and far below the 200 or so that the tensor cores of
// an H200 need to be busy. What is shared by neighbouring warps comes from the caches.
//
// There is no guard inside a piece: M, N and K must be multiples of 16, as at all sizes of the rubric.
#include <lab.h>

#include <mma.h>

using namespace nvcuda;

constexpr int PIECE = 16;        // side of a fragment
constexpr int WARPS_ACROSS = 4;  // pieces of C side by side that a block computes
constexpr int WARPS_DOWN = 4;    // and below each other

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    const int row = (blockIdx.y * WARPS_DOWN + threadIdx.y) * PIECE;
    const int col = (blockIdx.x * WARPS_ACROSS + threadIdx.x / warpSize) * PIECE;
    if (row >= M || col >= N)
        return;  // the whole warp leaves, so no thread is missing in what follows

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
