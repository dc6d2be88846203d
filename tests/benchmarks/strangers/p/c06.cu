#include <lab.h>

#define BM 64
#define BN 64
#define BK 8
#define TM 4
#define TN 4
#define THREADS ((BM / TM) * (BN / TN))

extern "C" __global__ void __launch_bounds__(THREADS) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM + 4];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.x;
    const int tcol = tid % (BN / TN);
    const int trow = tid / (BN / TN);
    const long rowBase = (long)blockIdx.y * BM;
    const long colBase = (long)blockIdx.x * BN;

    float acc[TM * TN] = {0.0f};

    for (int kb = 0; kb < N; kb += BK) {
        for (int i = tid; i < BM * BK; i += THREADS) {
            const long r = rowBase + i / BK;
            const int k = kb + i % BK;
            As[i % BK][i / BK] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += THREADS) {
            const int k = kb + i / BN;
            const long c = colBase + i % BN;
            Bs[i / BN][i % BN] = k < N && c < N ? B[(long)k * N + c] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
#pragma unroll
            for (int m = 0; m < TM; ++m) a[m] = As[k][trow * TM + m];
#pragma unroll
            for (int n = 0; n < TN; ++n) b[n] = Bs[k][tcol * TN + n];
#pragma unroll
            for (int m = 0; m < TM; ++m)
#pragma unroll
                for (int n = 0; n < TN; ++n)
                    acc[m * TN + n] += a[m] * b[n];
        }
        __syncthreads();
    }

    for (int m = 0; m < TM; ++m) {
        const long r = rowBase + trow * TM + m;
        if (r >= N) break;
        for (int n = 0; n < TN; ++n) {
            const long c = colBase + tcol * TN + n;
            if (c < N) C[r * N + c] = acc[m * TN + n];
        }
    }
}

LAUNCH(.block = {THREADS}, .tile = {BN, BM});
