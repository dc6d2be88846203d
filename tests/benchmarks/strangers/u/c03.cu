#include <lab.h>

#define BM 64
#define BN 64
#define BK 16
#define TM 4
#define TN 4
#define NT 256

extern "C" __global__ void __launch_bounds__(NT)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float As[BK][BM + 1];
    __shared__ float Bs[BK][BN];

    const int t  = threadIdx.x;
    const int tx = t % 16, ty = t / 16;
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;

    float acc[TM][TN];
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
            acc[i][j] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = t; e < BM * BK; e += NT) {
            const int m = e / BK, k = e % BK;
            As[k][m] = (row0 + m < N && k0 + k < N) ? A[(row0 + m) * N + k0 + k] : 0.0f;
        }
        for (int e = t; e < BK * BN; e += NT) {
            const int k = e / BN, n = e % BN;
            Bs[k][n] = (k0 + k < N && col0 + n < N) ? B[(k0 + k) * N + col0 + n] : 0.0f;
        }
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i) a[i] = As[k][ty + 16 * i];
            for (int j = 0; j < TN; ++j) b[j] = Bs[k][tx + 16 * j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        const int r = row0 + ty + 16 * i;
        for (int j = 0; j < TN; ++j) {
            const int c = col0 + tx + 16 * j;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {NT}, .tile = {BN, BM});
