#include <lab.h>

constexpr int BM = 64, BN = 32, BK = 8;
constexpr int TM = 4, TN = 4;
constexpr int THREADS = (BM / TM) * (BN / TN);

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];
    const int tid = threadIdx.x;
    const int tr = tid / (BN / TN) * TM;
    const int tc = tid % (BN / TN) * TN;
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BM;

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += THREADS) {
            int m = e / BK, k = e % BK;
            As[k][m] = row0 + m < N && k0 + k < N ? A[(row0 + m) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += THREADS) {
            int k = e / BN, n = e % BN;
            Bs[k][n] = k0 + k < N && col0 + n < N ? B[(k0 + k) * N + col0 + n] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k)
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += As[k][tr + i] * Bs[k][tc + j];
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            if (row0 + tr + i < N && col0 + tc + j < N)
                C[(row0 + tr + i) * N + col0 + tc + j] = acc[i][j];
}

LAUNCH(.block = {THREADS}, .tile = {BN, BM});
