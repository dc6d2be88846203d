// expect: ok; lab: tensor-cores; sizes: 33, 68
// A block is one warp and computes 16 x 16 elements. Its tiles go through shared memory, with zeros beyond the edges.
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

#define SIDE 16

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) half As[SIDE * SIDE], Bs[SIDE * SIDE];
    __shared__ __align__(32) float Cs[SIDE * SIDE];

    int first_row = blockIdx.y * SIDE, first_col = blockIdx.x * SIDE;
    wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float> sum;
    wmma::fill_fragment(sum, 0.0f);

    for (int k = 0; k < K; k += SIDE) {
        for (int i = threadIdx.x; i < SIDE * SIDE; i += warpSize) {
            int y = i / SIDE, x = i % SIDE;
            As[i] = first_row + y < M && k + x < K ? A[(first_row + y) * K + k + x] : __float2half(0.0f);
            Bs[i] = k + y < K && first_col + x < N ? B[(k + y) * N + first_col + x] : __float2half(0.0f);
        }
        __syncwarp();
        wmma::load_matrix_sync(a, As, SIDE);
        wmma::load_matrix_sync(b, Bs, SIDE);
        wmma::mma_sync(sum, a, b, sum);
        __syncwarp();
    }

    wmma::store_matrix_sync(Cs, sum, SIDE, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < SIDE * SIDE; i += warpSize) {
        int row = first_row + i / SIDE, col = first_col + i % SIDE;
        if (row < M && col < N)
            C[row * N + col] = Cs[i];
    }
}

LAUNCH(.block = {32}, .tile = {SIDE, SIDE});
