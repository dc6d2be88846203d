#include <lab.h>

constexpr int BM = 64, BN = 64, BK = 8;
constexpr int THREADS = 256;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ __align__(16) float As[BK][BM];
    __shared__ __align__(16) float Bs[BK][BN];
    const int tid = threadIdx.x;
    const int tc = tid % 16 * 4, tr = tid / 16 * 4;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float acc[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += THREADS) {
            const int k = e % BK, m = e / BK;
            As[k][m] = row0 + m < N && k0 + k < N ? A[(row0 + m) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += THREADS) {
            const int k = e / BN, n = e % BN;
            Bs[k][n] = k0 + k < N && col0 + n < N ? B[(k0 + k) * N + col0 + n] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const float4 a = *reinterpret_cast<const float4 *>(&As[k][tr]);
            const float4 b = *reinterpret_cast<const float4 *>(&Bs[k][tc]);
            const float av[4] = {a.x, a.y, a.z, a.w};
            const float bv[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    acc[i][j] = fmaf(av[i], bv[j], acc[i][j]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int r = row0 + tr + i;
        if (r >= N)
            break;
        for (int j = 0; j < 4 && col0 + tc + j < N; ++j)
            C[r * N + col0 + tc + j] = acc[i][j];
    }
}

LAUNCH(.block = {THREADS}, .tile = {BN, BM});
