// expect: ok; lab: tensor-cores
// Fragments of 32 x 8 results, B by columns, with zeros beyond the edges.
#include <mma.h>
#include <cuda_fp16.h>
#include <lab.h>
using namespace nvcuda;
extern "C" __global__ void matmul(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) half a[32 * 16], b[16 * 8]; __shared__ __align__(32) float c[32 * 8];
    int r0 = blockIdx.y * 32, c0 = blockIdx.x * 8, t = threadIdx.x;
    wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 32, 8, 16, float> fc;
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = 0;
    for (int k0 = 0; k0 < K; k0 += 16) {
        for (int i = t; i < 32 * 16; i += 32) a[i] = r0 + i / 16 < M && k0 + i % 16 < K ? A[(r0 + i / 16) * K + k0 + i % 16] : half(0);
        for (int i = t; i < 16 * 8; i += 32) b[i] = k0 + i % 16 < K && c0 + i / 16 < N ? B[(k0 + i % 16) * N + c0 + i / 16] : half(0);
        __syncwarp();
        wmma::load_matrix_sync(fa, a, 16); wmma::load_matrix_sync(fb, b, 16); wmma::mma_sync(fc, fa, fb, fc);
        __syncwarp();
    }
    wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
    __syncwarp();
    for (int i = t; i < 32 * 8; i += 32) if (r0 + i / 8 < M && c0 + i % 8 < N) C[(r0 + i / 8) * N + c0 + i % 8] = c[i];
}
LAUNCH(.block = {32}, .tile = {8, 32});
