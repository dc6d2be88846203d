// lab: mixed_precision
// Idle tensor cores, in a lab that lets elements be rounded to bfloat16. The twin rounds those of its tiles.
#include <cuda_bf16.h>
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

constexpr int TILE = 32;
#ifdef FIXED
using Element = __nv_bfloat16;
constexpr int LINE = TILE + 8;
#else
using Element = float;
constexpr int LINE = TILE;
#endif

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(32) Element As[TILE][LINE], Bs[TILE][LINE];
    const int tx = threadIdx.x, ty = threadIdx.y, first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
    float sum[TILE / 4] = {};
#ifdef FIXED
    const int row = ty / 2 * 16, col = ty % 2 * 16;
    __shared__ __align__(32) float result[TILE][TILE];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, Element, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, Element, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(sums, 0.0f);
#endif
    for (int first = 0; first < N; first += TILE) {
        for (int i = ty; i < TILE; i += 4) {
            const bool in_a = first_row + i < N && first + tx < N, in_b = first + i < N && first_col + tx < N;
            As[i][tx] = in_a ? A[(first_row + i) * N + first + tx] : 0.0f;
            Bs[i][tx] = in_b ? B[(first + i) * N + first_col + tx] : 0.0f;
        }
        __syncthreads();
#pragma unroll
#ifdef FIXED
        for (int k = 0; k < TILE; k += 16) {
            wmma::load_matrix_sync(a, &As[row][k], LINE);
            wmma::load_matrix_sync(b, &Bs[k][col], LINE);
            wmma::mma_sync(sums, a, b, sums);
        }
#else
        for (int k = 0; k < TILE; ++k)
#pragma unroll
            for (int i = 0; i < TILE / 4; ++i)
                sum[i] += As[ty + 4 * i][k] * Bs[k][tx];
#endif
        __syncthreads();
    }
#ifdef FIXED
    wmma::store_matrix_sync(&result[row][col], sums, TILE, wmma::mem_row_major);
    __syncthreads();
    for (int i = 0; i < TILE / 4; ++i)
        sum[i] = result[ty + 4 * i][tx];
#endif
#pragma unroll
    for (int i = 0; i < TILE / 4; ++i)
        if (first_row + ty + 4 * i < N && first_col + tx < N)
            C[(first_row + ty + 4 * i) * N + first_col + tx] = sum[i];
}

LAUNCH(.block = {TILE, 4}, .tile = {TILE, TILE});
