#include <lab.h>

constexpr int BM = 64, BN = 64, BK = 16;

// Copies a tile of Rows x Cols from (r0, c0), with zeros outside the matrix.
template <int Rows, int Cols>
__device__ void fetch(float *dst, const float *src, int r0, int c0, int n)
{
    for (int i = threadIdx.x; i < Rows * Cols; i += 256) {
        int r = r0 + i / Cols;
        int c = c0 + i % Cols;
        dst[i] = r < n && c < n ? src[r * n + c] : 0.0f;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[BM * BK];
    __shared__ float sB[BK * BN];
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    const int tr = threadIdx.x / 16 * 4, tc = threadIdx.x % 16;

    float acc[4][4] = {};
    for (int k0 = 0; k0 < N; k0 += BK) {
        fetch<BM, BK>(sA, A, m0, k0, N);
        fetch<BN, BK>(sB, B, k0, n0, N);
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += sA[(tr + i) * BK + k] * sB[k * BN + tc + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const int r = m0 + tr + i, c = n0 + tc + 16 * j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {256}, .tile = {BN, BM});
