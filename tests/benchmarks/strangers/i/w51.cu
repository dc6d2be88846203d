#include <lab.h>

template <int BM, int BN, int BK>
__device__ void gemm_block(const float *A, const float *B, float *C, int n)
{
    static_assert(BM == 32 && BN == 64, "thread mapping below");
    __shared__ float sa[BM][BK];
    __shared__ float sb[BK][BN];
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BM;
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum[4][2] = {};

    for (int k0 = 0; k0 < n; k0 += BK) {
        for (int r = ty; r < BM; r += 8)
            if (tx < BK)
                sa[r][tx] = (row0 + r < n && k0 + tx < n) ? A[(row0 + r) * n + k0 + tx] : 0.0f;
        for (int r = ty; r < BK; r += 8)
            for (int c = tx; c < BN; c += 32)
                sb[r][c] = (k0 + r < n && col0 + c < n) ? B[(k0 + r) * n + col0 + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 2; ++j)
                    sum[i][j] += sa[ty + 8 * i][k] * sb[k][tx + 32 * j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j) {
            int r = row0 + ty + 8 * i, c = col0 + tx + 32 * j;
            if (r < n && c < n) C[r * n + c] = sum[i][j];
        }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    gemm_block<32, 64, 16>(A, B, C, N);
}

LAUNCH(.block = {32, 8}, .tile = {64, 32});
