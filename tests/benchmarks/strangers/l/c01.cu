// Tensor cores in double precision (8 x 8 x 4), so nothing is lost. Four warps, each 8 rows x 32 columns.
#include <mma.h>
#include <lab.h>

using namespace nvcuda;

constexpr int TILE = 32;
constexpr int DEPTH = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(32) double sa[TILE][DEPTH + 4];
    __shared__ __align__(32) double sb[DEPTH][TILE + 4];
    __shared__ __align__(32) double sc[TILE][TILE + 4];

    const int tid = threadIdx.x;
    const int warp = tid / 32;
    const int row0 = blockIdx.y * TILE;
    const int col0 = blockIdx.x * TILE;

    wmma::fragment<wmma::accumulator, 8, 8, 4, double> acc[4];
    for (int j = 0; j < 4; ++j)
        wmma::fill_fragment(acc[j], 0.0);

    for (int k0 = 0; k0 < N; k0 += DEPTH) {
        for (int e = tid; e < TILE * DEPTH; e += 128) {
            const int r = e / DEPTH, k = e % DEPTH;
            sa[r][k] = row0 + r < N && k0 + k < N ? A[(row0 + r) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < DEPTH * TILE; e += 128) {
            const int k = e / TILE, c = e % TILE;
            sb[k][c] = k0 + k < N && col0 + c < N ? B[(k0 + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < DEPTH; k += 4) {
            wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
            wmma::load_matrix_sync(fa, &sa[8 * warp][k], DEPTH + 4);
            for (int j = 0; j < 4; ++j) {
                wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
                wmma::load_matrix_sync(fb, &sb[k][8 * j], TILE + 4);
                wmma::mma_sync(acc[j], fa, fb, acc[j]);
            }
        }
        __syncthreads();
    }

    for (int j = 0; j < 4; ++j)
        wmma::store_matrix_sync(&sc[8 * warp][8 * j], acc[j], TILE + 4, wmma::mem_row_major);
    __syncthreads();

    for (int e = tid; e < TILE * TILE; e += 128) {
        const int r = e / TILE, c = e % TILE;
        if (row0 + r < N && col0 + c < N)
            C[(row0 + r) * N + col0 + c] = (float)sc[r][c];
    }
}

LAUNCH(.block = {128}, .tile = {TILE, TILE});
