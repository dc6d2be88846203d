#include <lab.h>
#include <mma.h>

using namespace nvcuda;

// Tensor cores in TF32 are too coarse, so every value is split into big + small (3xTF32).
constexpr int TILE = 32;      // 4 warps, 16 x 16 each
constexpr int BK = 16;
constexpr int LDA = BK + 4;   // padded rows
constexpr int LDB = TILE + 4;

template <class Frag>
__device__ void split(const Frag &full, Frag &big, Frag &small)
{
    for (int i = 0; i < full.num_elements; ++i) {
        big.x[i] = wmma::__float_to_tf32(full.x[i]);
        small.x[i] = wmma::__float_to_tf32(full.x[i] - big.x[i]);
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(32) float sa[TILE * LDA];
    __shared__ __align__(32) float sb[BK * LDB];
    __shared__ __align__(32) float sc[TILE * LDB];

    const int warp = threadIdx.x / 32;
    const int wr = (warp / 2) * 16, wc = (warp % 2) * 16;
    const int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;

    wmma::fragment<wmma::accumulator, 16, 16, 8, float> acc;
    wmma::fill_fragment(acc, 0.0f);

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = threadIdx.x; e < TILE * BK; e += 128) {
            int r = e / BK, k = e % BK;
            sa[r * LDA + k] = (r0 + r < N && k0 + k < N) ? A[(r0 + r) * N + k0 + k] : 0.0f;
            int kb = e / TILE, c = e % TILE;
            sb[kb * LDB + c] = (k0 + kb < N && c0 + c < N) ? B[(k0 + kb) * N + c0 + c] : 0.0f;
        }
        __syncthreads();

        for (int kk = 0; kk < BK; kk += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a, aBig, aSmall;
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b, bBig, bSmall;
            wmma::load_matrix_sync(a, sa + wr * LDA + kk, BK);
            wmma::load_matrix_sync(b, sb + kk * LDB + wc, LDB);
            split(a, aBig, aSmall);
            split(b, bBig, bSmall);
            wmma::mma_sync(acc, aSmall, bBig, acc);
            wmma::mma_sync(acc, aBig, bSmall, acc);
            wmma::mma_sync(acc, aBig, bBig, acc);
        }
        __syncthreads();
    }

    wmma::store_matrix_sync(sc + wr * LDB + wc, acc, LDB, wmma::mem_row_major);
    __syncthreads();
    for (int e = threadIdx.x; e < TILE * TILE; e += 128) {
        int r = e / TILE, c = e % TILE;
        if (r0 + r < N && c0 + c < N)
            C[(r0 + r) * N + c0 + c] = sc[r * LDB + c];
    }
}

LAUNCH(.block = {128}, .tile = {TILE, TILE});
