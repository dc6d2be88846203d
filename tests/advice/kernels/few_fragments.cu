// lab: tensor_cores
// Too few fragments per warp: each warp computes one, so that it loads two for each product. The twin computes 4 x 2.
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

#ifdef FIXED
constexpr int DOWN = 4, ACROSS = 2;  // fragments of C of a warp
#else
constexpr int DOWN = 1, ACROSS = 1;
#endif
constexpr int PIECE = 16, OCTET = 8, DEPTH = 32, WARPS = 16;
constexpr int HIGH = 4 * DOWN * PIECE, WIDE = 4 * ACROSS * PIECE, THREADS = WARPS * 32;

__device__ void fill(half *to, const half *from, bool inside)
{
    const uint4 zeros = {};
    *reinterpret_cast<uint4 *>(to) = inside ? *reinterpret_cast<const uint4 *>(from) : zeros;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) half As[HIGH][DEPTH + OCTET], Bs[DEPTH][WIDE + OCTET];
    const int warp = threadIdx.x / 32, first_row = blockIdx.y * HIGH, first_col = blockIdx.x * WIDE;
    const int my_row = warp / 4 * DOWN * PIECE, my_col = warp % 4 * ACROSS * PIECE;
    wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float> sum[DOWN][ACROSS];
#pragma unroll
    for (int i = 0; i < DOWN * ACROSS; ++i)
        wmma::fill_fragment(sum[i / ACROSS][i % ACROSS], 0.0f);
    for (int first = 0; first < K; first += DEPTH) {
        for (int i = threadIdx.x; i < HIGH * DEPTH / OCTET; i += THREADS) {
            const int row = i / (DEPTH / OCTET), k = i % (DEPTH / OCTET) * OCTET;
            fill(&As[row][k], &A[(first_row + row) * K + first + k], first_row + row < M && first + k < K);
        }
        for (int i = threadIdx.x; i < WIDE * DEPTH / OCTET; i += THREADS) {
            const int k = i / (WIDE / OCTET), col = i % (WIDE / OCTET) * OCTET;
            fill(&Bs[k][col], &B[(first + k) * N + first_col + col], first + k < K && first_col + col < N);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k += PIECE) {
            wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, half, wmma::row_major> a[DOWN];
            wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, half, wmma::row_major> b[ACROSS];
#pragma unroll
            for (int i = 0; i < DOWN; ++i)
                wmma::load_matrix_sync(a[i], &As[my_row + i * PIECE][k], DEPTH + OCTET);
#pragma unroll
            for (int j = 0; j < ACROSS; ++j)
                wmma::load_matrix_sync(b[j], &Bs[k][my_col + j * PIECE], WIDE + OCTET);
#pragma unroll
            for (int i = 0; i < DOWN * ACROSS; ++i)
                wmma::mma_sync(sum[i / ACROSS][i % ACROSS], a[i / ACROSS], b[i % ACROSS], sum[i / ACROSS][i % ACROSS]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < DOWN * ACROSS; ++i) {
        const int row = first_row + my_row + i / ACROSS * PIECE, col = first_col + my_col + i % ACROSS * PIECE;
        if (row < M && col < N)
            wmma::store_matrix_sync(&C[row * N + col], sum[i / ACROSS][i % ACROSS], N, wmma::mem_row_major);
    }
}

LAUNCH(.block = {THREADS}, .tile = {WIDE, HIGH});
