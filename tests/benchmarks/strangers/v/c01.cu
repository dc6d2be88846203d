// Tensor cores with 3xTF32: the high and the low parts of A and B separately, 2x2 fragments per warp.
#include <lab.h>
#include <mma.h>
using namespace nvcuda;

constexpr int BT = 64;            // block tile
constexpr int KT = 16;
constexpr int LDA = KT + 8;
constexpr int LDB = BT + 8;

template <typename Frag>
__device__ __forceinline__ Frag split(Frag &f)
{
    Frag low;
    #pragma unroll
    for (int i = 0; i < f.num_elements; ++i) {
        const float v = f.x[i], h = wmma::__float_to_tf32(v);
        f.x[i] = h;
        low.x[i] = wmma::__float_to_tf32(v - h);
    }
    return low;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(128) float As[BT * LDA];
    __shared__ __align__(128) float Bs[KT * LDB];
    __shared__ __align__(128) float Cs[BT * LDB];

    const int tid = threadIdx.x, warp = tid / 32;
    const int wr = warp / 2 * 32, wc = warp % 2 * 32;
    const int row0 = blockIdx.y * BT, col0 = blockIdx.x * BT;

    wmma::fragment<wmma::accumulator, 16, 16, 8, float> acc[2][2];
    for (auto &line : acc)
        for (auto &f : line)
            wmma::fill_fragment(f, 0.0f);

    for (int k0 = 0; k0 < N; k0 += KT) {
        for (int e = tid; e < BT * KT; e += 128) {
            const int ar = e / KT, ac = e % KT, br = e / BT, bc = e % BT;
            As[ar * LDA + ac] = row0 + ar < N && k0 + ac < N ? A[(row0 + ar) * N + k0 + ac] : 0.0f;
            Bs[br * LDB + bc] = k0 + br < N && col0 + bc < N ? B[(k0 + br) * N + col0 + bc] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < KT; k += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(a[i], As + (wr + 16 * i) * LDA + k, LDA);
                wmma::load_matrix_sync(b[i], Bs + k * LDB + wc + 16 * i, LDB);
            }
            auto a0 = split(a[0]), a1 = split(a[1]);
            auto b0 = split(b[0]), b1 = split(b[1]);
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) {
                    wmma::mma_sync(acc[i][j], i ? a1 : a0, b[j], acc[i][j]);
                    wmma::mma_sync(acc[i][j], a[i], j ? b1 : b0, acc[i][j]);
                    wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
                }
        }
        __syncthreads();
    }

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(Cs + (wr + 16 * i) * LDB + wc + 16 * j, acc[i][j], LDB, wmma::mem_row_major);
    __syncthreads();
    for (int e = tid; e < BT * BT; e += 128) {
        const int r = e / BT, c = e % BT;
        if (row0 + r < N && col0 + c < N)
            C[(row0 + r) * N + col0 + c] = Cs[r * LDB + c];
    }
}

LAUNCH(.block = {128}, .tile = {BT, BT});
