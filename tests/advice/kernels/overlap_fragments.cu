// lab: tensor_cores
// No overlap of loads and arithmetic: fragments are multiplied only after their tile has arrived. The twin copies ahead.
#include <cuda_pipeline_primitives.h>
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

constexpr int PIECE = 16, OCTET = 8, DEPTH = 32, TILE = 128, DOWN = 4, ACROSS = 2, THREADS = 256;
#ifdef FIXED
constexpr int STAGES = 3;
#else
constexpr int STAGES = 1;
#endif

__device__ void fill(half *to, const half *from, const half *any, bool inside)
{
#ifdef FIXED
    __pipeline_memcpy_async(to, inside ? from : any, sizeof(uint4), inside ? 0 : sizeof(uint4));
#else
    const uint4 zeros = {};
    *reinterpret_cast<uint4 *>(to) = inside ? *reinterpret_cast<const uint4 *>(from) : zeros;
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS)
    matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    extern __shared__ __align__(32) half memory[];
    using ATile = half[TILE][DEPTH + OCTET];
    using BTile = half[DEPTH][TILE + OCTET];
    ATile *As = reinterpret_cast<ATile *>(memory);
    BTile *Bs = reinterpret_cast<BTile *>(memory + STAGES * TILE * (DEPTH + OCTET));
    const int warp = threadIdx.x / 32, first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
    const int my_row = warp / 4 * DOWN * PIECE, my_col = warp % 4 * ACROSS * PIECE;
    wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float> sum[DOWN][ACROSS];
#pragma unroll
    for (int i = 0; i < DOWN * ACROSS; ++i)
        wmma::fill_fragment(sum[i / ACROSS][i % ACROSS], 0.0f);
    const auto load = [&](int first, int stage) {
#pragma unroll
        for (int i = threadIdx.x; i < TILE * DEPTH / OCTET; i += THREADS) {
            const int row = i / (DEPTH / OCTET), ka = i % (DEPTH / OCTET) * OCTET;
            const int kb = i / (TILE / OCTET), col = i % (TILE / OCTET) * OCTET;
            const bool in_a = first_row + row < M && first + ka < K, in_b = first + kb < K && first_col + col < N;
            fill(&As[stage][row][ka], &A[(first_row + row) * K + first + ka], A, in_a);
            fill(&Bs[stage][kb][col], &B[(first + kb) * N + first_col + col], B, in_b);
        }
        __pipeline_commit();
    };
    for (int stage = 0; stage < STAGES - 1; ++stage)
        load(stage * DEPTH, stage);
    int stage = 0;
    for (int first = 0; first < K; first += DEPTH) {
#ifdef FIXED
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        load(first + (STAGES - 1) * DEPTH, (stage + STAGES - 1) % STAGES);
#else
        load(first, stage);
        __syncthreads();
#endif
#pragma unroll
        for (int k = 0; k < DEPTH; k += PIECE) {
            wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, half, wmma::row_major> a[DOWN];
            wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, half, wmma::row_major> b[ACROSS];
#pragma unroll
            for (int i = 0; i < DOWN; ++i)
                wmma::load_matrix_sync(a[i], &As[stage][my_row + i * PIECE][k], DEPTH + OCTET);
#pragma unroll
            for (int j = 0; j < ACROSS; ++j)
                wmma::load_matrix_sync(b[j], &Bs[stage][k][my_col + j * PIECE], TILE + OCTET);
#pragma unroll
            for (int i = 0; i < DOWN * ACROSS; ++i)
                wmma::mma_sync(sum[i / ACROSS][i % ACROSS], a[i / ACROSS], b[i % ACROSS], sum[i / ACROSS][i % ACROSS]);
        }
#ifdef FIXED
        stage = (stage + 1) % STAGES;
#else
        __syncthreads();
#endif
    }
#pragma unroll
    for (int i = 0; i < DOWN * ACROSS; ++i) {
        const int row = first_row + my_row + i / ACROSS * PIECE, col = first_col + my_col + i % ACROSS * PIECE;
        if (row < M && col < N)
            wmma::store_matrix_sync(&C[row * N + col], sum[i / ACROSS][i % ACROSS], N, wmma::mem_row_major);
    }
}

LAUNCH(.block = {THREADS}, .tile = {TILE, TILE},
       .shared = STAGES * 2 * (TILE * (DEPTH + OCTET) + DEPTH * (TILE + OCTET)));
