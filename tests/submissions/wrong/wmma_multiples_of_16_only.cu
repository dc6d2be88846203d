// expect: simulator crashed, cuda crashed or wrong-answer or out-of-bounds; lab: tensor-cores; lines: 19
// Loads fragments straight from A and B, which works only if M, N and K are multiples of 16.
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

#define SIDE 16

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * SIDE, col = blockIdx.x * SIDE;
    wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float> sum;
    wmma::fill_fragment(sum, 0.0f);

    for (int k = 0; k < K; k += SIDE) {
        wmma::load_matrix_sync(a, A + row * K + k, K);
        wmma::load_matrix_sync(b, B + k * N + col, N);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(C + row * N + col, sum, N, wmma::mem_row_major);
}

LAUNCH(.block = {32}, .tile = {SIDE, SIDE});
