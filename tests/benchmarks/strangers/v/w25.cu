// Tensor cores. TF32 alone is not accurate enough, so split every value into a high and a low part
// and add three products (3xTF32).
#include <lab.h>
#include <mma.h>
using namespace nvcuda;

#define TILE 32
#define KT 8

typedef wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> FragA;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> FragB;
typedef wmma::fragment<wmma::accumulator, 16, 16, 8, float> FragC;

template <typename F>
__device__ void split(F &hi, F &lo)
{
    for (int i = 0; i < hi.num_elements; ++i) {
        float v = hi.x[i];
        float h = wmma::__float_to_tf32(v);
        hi.x[i] = h;
        lo.x[i] = wmma::__float_to_tf32(v - h);
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(32) float As[TILE][KT];
    __shared__ __align__(32) float Bs[KT][TILE];
    __shared__ __align__(32) float Cs[TILE][TILE];

    const int tid = threadIdx.y * 32 + threadIdx.x;   // 4 warps
    const int wr = (threadIdx.y / 2) * 16, wc = (threadIdx.y % 2) * 16;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;

    FragA a, alo;
    FragB b, blo;
    FragC acc;

    for (int k0 = 0; k0 < N; k0 += KT) {
        wmma::fill_fragment(acc, 0.0f);
        for (int e = tid; e < TILE * KT; e += 128) {
            int r = e / KT, c = e % KT;
            As[r][c] = (row0 + r < N && k0 + c < N) ? A[(row0 + r) * N + k0 + c] : 0.0f;
            r = e / TILE, c = e % TILE;
            Bs[r][c] = (k0 + r < N && col0 + c < N) ? B[(k0 + r) * N + col0 + c] : 0.0f;
        }
        __syncthreads();

        wmma::load_matrix_sync(a, &As[wr][0], KT);
        wmma::load_matrix_sync(b, &Bs[0][wc], TILE);
        split(a, alo);
        split(b, blo);
        wmma::mma_sync(acc, alo, b, acc);
        wmma::mma_sync(acc, a, blo, acc);
        wmma::mma_sync(acc, a, b, acc);
        __syncthreads();
    }

    // through shared memory, because of the edges
    wmma::store_matrix_sync(&Cs[wr][wc], acc, TILE, wmma::mem_row_major);
    __syncthreads();
    for (int e = tid; e < TILE * TILE; e += 128) {
        int r = row0 + e / TILE, c = col0 + e % TILE;
        if (r < N && c < N)
            C[r * N + c] = Cs[e / TILE][e % TILE];
    }
}

LAUNCH(.block = {32, 4}, .tile = {TILE, TILE});
