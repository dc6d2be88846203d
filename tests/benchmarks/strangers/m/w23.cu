#include <lab.h>

#define TM 4
#define TN 4
#define BM 64
#define BN 64
#define BK 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float acc[TM][TN] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += 256) {
            int m = e / BK, k = e % BK;
            As[k][m] = (row0 + m < N && k0 + k < N) ? A[(row0 + m) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += 256) {
            int k = e / BN, n = e % BN;
            Bs[k][n] = (k0 + k < N && col0 + n < N) ? B[(k0 + k) * N + col0 + n] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i) a[i] = As[k][threadIdx.y * TM + i];
            for (int j = 0; j < TN; ++j) b[j] = Bs[k][threadIdx.x * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            int r = row0 + threadIdx.y * TM + i, c = col0 + threadIdx.x * TN + j;
            if (r < N && c < N) C[r * N + c] = acc[j][i];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
