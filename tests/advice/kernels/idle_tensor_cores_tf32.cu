// lab: tf32
// Idle tensor cores, in a lab that lets elements be rounded to TF32. The twin's warps multiply fragments of 16 x 16 x 8.
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

constexpr int PIECE = 16, DEPTH = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
#ifdef FIXED
    const int row = (blockIdx.y * 4 + threadIdx.y) * PIECE, col = (blockIdx.x * 4 + threadIdx.x / 32) * PIECE;
    if (row >= N || col >= N)
        return;
    wmma::fragment<wmma::matrix_a, PIECE, PIECE, DEPTH, wmma::precision::tf32, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, PIECE, PIECE, DEPTH, wmma::precision::tf32, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, PIECE, PIECE, DEPTH, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < N; k += DEPTH) {
        wmma::load_matrix_sync(a, A + row * N + k, N);
        wmma::load_matrix_sync(b, B + k * N + col, N);
        for (int i = 0; i < a.num_elements; ++i)
            a.x[i] = wmma::__float_to_tf32(a.x[i]);
        for (int i = 0; i < b.num_elements; ++i)
            b.x[i] = wmma::__float_to_tf32(b.x[i]);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(C + row * N + col, sum, N, wmma::mem_row_major);
#else
    const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    if (row >= N || col >= N)
        return;
    float sum = 0;
    for (int k = 0; k < N; ++k)
        sum += A[row * N + k] * B[k * N + col];
    C[row * N + col] = sum;
#endif
}

#ifdef FIXED
LAUNCH(.block = {128, 4}, .tile = {4 * PIECE, 4 * PIECE});
#else
LAUNCH(.block = {32, 8}, .tile = {32, 8});
#endif
