// lab: tensor_cores
// Idle tensor cores: the products of a tile's elements are computed one by one. The twin multiplies fragments.
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

constexpr int TILE = 32, LINE = TILE + 8, OCTET = 8;

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) half As[TILE][LINE], Bs[TILE][LINE];
    const int thread = threadIdx.x, first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
    const int i = thread / 4, j = thread % 4 * OCTET;  // eight halves of each tile
    const uint4 zeros = {};
#ifdef FIXED
    const int row = thread / 64 * 16, col = thread / 32 % 2 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
#else
    float sum[TILE * TILE / 128] = {};
#endif
    for (int first = 0; first < K; first += TILE) {
        const bool in_a = first_row + i < M && first + j < K, in_b = first + i < K && first_col + j < N;
        *reinterpret_cast<uint4 *>(&As[i][j]) =
            in_a ? *reinterpret_cast<const uint4 *>(&A[(first_row + i) * K + first + j]) : zeros;
        *reinterpret_cast<uint4 *>(&Bs[i][j]) =
            in_b ? *reinterpret_cast<const uint4 *>(&B[(first + i) * N + first_col + j]) : zeros;
        __syncthreads();
#pragma unroll
#ifdef FIXED
        for (int k = 0; k < TILE; k += 16) {
            wmma::load_matrix_sync(a, &As[row][k], LINE);
            wmma::load_matrix_sync(b, &Bs[k][col], LINE);
            wmma::mma_sync(sum, a, b, sum);
        }
#else
        for (int k = 0; k < TILE; ++k)
#pragma unroll
            for (int e = 0; e < TILE * TILE / 128; ++e)
                sum[e] += __half2float(As[thread / 32 + 4 * e][k]) * __half2float(Bs[k][thread % 32]);
#endif
        __syncthreads();
    }
#ifdef FIXED
    if (first_row + row < M && first_col + col < N)
        wmma::store_matrix_sync(&C[(first_row + row) * N + first_col + col], sum, N, wmma::mem_row_major);
#else
#pragma unroll
    for (int e = 0; e < TILE * TILE / 128; ++e)
        if (first_row + thread / 32 + 4 * e < M && first_col + thread % 32 < N)
            C[(first_row + thread / 32 + 4 * e) * N + first_col + thread % 32] = sum[e];
#endif
}

LAUNCH(.block = {128}, .tile = {TILE, TILE});
