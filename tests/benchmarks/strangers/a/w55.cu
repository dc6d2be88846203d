#include <lab.h>

#define BM 128
#define BN 64
#define BK 8
#define TM 8
#define TN 4

// 256 threads: 16 along n, 16 along m
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.x;
    const int tn = tid % (BN / TN);
    const int tm = tid / (BN / TN);
    const int r0 = blockIdx.y * BM;
    const int c0 = blockIdx.x * BN;

    float acc[TM][TN] = {};
    float ra[TM], rb[TN];

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += 256) {
            const int m = e / BK, k = e % BK;
            As[k][m] = (r0 + m < N && k0 + k < N) ? A[(r0 + m) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < BN * BK; e += 256) {
            const int k = e / BN, n = e % BN;
            Bs[k][n] = (c0 + n < N && k0 + k < N) ? B[(k0 + k) * N + c0 + n] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i)
                ra[i] = As[k][tm * TM + i];
            for (int j = 0; j < TN; ++j)
                rb[j] = Bs[k][tn * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] = fmaf(ra[i], rb[j], acc[i][j]);
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            const int r = r0 + tm * TM + i;
            const int c = c0 + tn * TN + j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {256}, .tile = {BM, BN});
