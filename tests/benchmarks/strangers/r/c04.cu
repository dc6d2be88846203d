#include <lab.h>

#define BM 64
#define BN 64
#define BK 8
#define TM 4
#define TN 4

// 16 x 16 threads, 4 x 4 results in registers, tiles 64 x 8 and 8 x 64
extern "C" __global__ void __launch_bounds__(256)
matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];   // transposed
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int rowBase = blockIdx.y * BM;
    const int colBase = blockIdx.x * BN;
    float acc[TM][TN] = {{0.0f}};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += 256) {
            int m = e / BK, k = e % BK;
            int gr = rowBase + m, gk = k0 + k;
            As[k][m] = (gr < N && gk < N) ? A[gr * N + gk] : 0.0f;
        }
        for (int e = tid; e < BN * BK; e += 256) {
            int k = e / BN, n = e % BN;
            int gk = k0 + k, gc = colBase + n;
            Bs[k][n] = (gk < N && gc < N) ? B[gk * N + gc] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float ra[TM], rb[TN];
            for (int i = 0; i < TM; ++i) ra[i] = As[k][threadIdx.y * TM + i];
            for (int j = 0; j < TN; ++j) rb[j] = Bs[k][threadIdx.x * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        int r = rowBase + threadIdx.y * TM + i;
        for (int j = 0; j < TN; ++j) {
            int c = colBase + threadIdx.x * TN + j;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {BN / TN, BM / TM}, .tile = {BN, BM});
