#include <mma.h>

using namespace nvcuda;

// The mistake that `mistake` names, each in a line of its own.
enum { NOTHING, LANES_DIFFER, DIVIDED, RETURNED, OUTSIDE, STORE_OUTSIDE, AT_BARRIER };

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int mistake) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    if (mistake == RETURNED && threadIdx.x == 31) return;
    if (mistake == AT_BARRIER && threadIdx.x < 8) __syncthreads();
    wmma::load_matrix_sync(b, B, 16);
    if (mistake == LANES_DIFFER) wmma::load_matrix_sync(a, A + threadIdx.x / 16 * 16, 16);
    else if (mistake == OUTSIDE) wmma::load_matrix_sync(a, A + 16, 16);
    else wmma::load_matrix_sync(a, A, 16);
    if (mistake == DIVIDED && threadIdx.x < 16)
        wmma::mma_sync(c, a, b, c);
    else
        wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(C + (mistake == STORE_OUTSIDE ? 16 : 0), c, 16, wmma::mem_row_major);
}
