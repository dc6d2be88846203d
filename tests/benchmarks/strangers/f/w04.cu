#include <lab.h>

constexpr int BM = 64, BN = 32, BK = 16;
constexpr int THREADS = 128;
constexpr int TM = 4, TN = 4;   // 16 x 8 threads, each 4 x 4

extern "C" __global__ void __launch_bounds__(THREADS)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float As[BK][BM];   // transposed: k first
    __shared__ float Bs[BK][BN];

    int tid  = threadIdx.x;
    int trow = tid / (BN / TN);
    int tcol = tid % (BN / TN);
    float acc[TM][TN] = {};

    int tiles = (N + BK - 1) / BK;
    for (int t = 0; t < tiles; ++t) {
        for (int e = tid; e < BM * BK; e += THREADS) {
            int rA = blockIdx.y * BM + e / BK;
            int kA = t * BK + e % BK;
            As[e % BK][e / BK] = (rA < N && kA < N) ? A[rA * N + kA] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += THREADS) {
            int kB = t * BN + e / BN;
            int cB = blockIdx.x * BN + e % BN;
            Bs[e / BN][e % BN] = (kB < N && cB < N) ? B[kB * N + cB] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i) a[i] = As[k][trow * TM + i];
            for (int j = 0; j < TN; ++j) b[j] = Bs[k][tcol * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        int r = blockIdx.y * BM + trow * TM + i;
        if (r >= N) break;
        for (int j = 0; j < TN; ++j) {
            int c = blockIdx.x * BN + tcol * TN + j;
            if (c < N) C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {THREADS}, .tile = {BN, BM});
