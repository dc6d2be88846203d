// expect: ok; lab: tensor-cores; sizes: 33, 68
// Four warps share tiles of 32 x 32 in shared memory, padded by 8 halves; each warp computes a quarter with two products.
#include <lab.h>
#include <mma.h>

using namespace nvcuda;

#define TILE 32
#define SIDE 16
#define PITCH (TILE + 8)
#define THREADS 128

extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) half As[TILE][PITCH];
    __shared__ __align__(32) half Bs[TILE][PITCH];
    __shared__ __align__(32) float Cs[TILE][TILE];

    int warp = threadIdx.x / 32, y = warp / 2 * SIDE, x = warp % 2 * SIDE;
    int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
    wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float> sum;
    wmma::fill_fragment(sum, 0.0f);

    for (int k = 0; k < K; k += TILE) {
        for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
            int r = i / TILE, c = i % TILE;
            As[r][c] = first_row + r < M && k + c < K ? A[(first_row + r) * K + k + c] : __float2half(0.0f);
            Bs[r][c] = k + r < K && first_col + c < N ? B[(k + r) * N + first_col + c] : __float2half(0.0f);
        }
        __syncthreads();
        for (int step = 0; step < TILE; step += SIDE) {
            wmma::load_matrix_sync(a, &As[y][step], PITCH);
            wmma::load_matrix_sync(b, &Bs[step][x], PITCH);
            wmma::mma_sync(sum, a, b, sum);
        }
        __syncthreads();
    }

    wmma::store_matrix_sync(&Cs[y][x], sum, TILE, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
        int row = first_row + i / TILE, col = first_col + i % TILE;
        if (row < M && col < N)
            C[row * N + col] = Cs[i / TILE][i % TILE];
    }
}

LAUNCH(.block = {THREADS}, .tile = {TILE, TILE});
