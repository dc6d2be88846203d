#include <lab.h>

#define BM 64
#define BN 64
#define BK 16
#define TM 4
#define TN 4

// 16 x 16 threads, each computes 4 x 4 elements
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * BM + threadIdx.y * TM;
    const int col0 = blockIdx.x * BN + threadIdx.x * TN;

    float acc[TM][TN] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        // As is stored transposed
        for (int e = tid; e < BM * BK; e += 256) {
            int m = e / BK, k = e % BK;
            int r = blockIdx.y * BM + m;
            As[k][m] = (r < N && k0 + k < N) ? A[r * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += 256) {
            int k = e / BN, n = e % BN;
            int c = blockIdx.x * BN + n;
            Bs[k][n] = (c < N && k0 + k < N) ? B[(k0 + k) * N + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += As[k][threadIdx.y * TM + i] * Bs[k][threadIdx.x * TN + j];
        __syncthreads();
    }

    if (row0 < N && col0 < N) {
        for (int i = 0; i < TM; ++i)
            for (int j = 0; j < TN; ++j)
                C[(row0 + i) * N + col0 + j] = acc[i][j];
    }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
