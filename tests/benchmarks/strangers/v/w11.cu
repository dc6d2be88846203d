// Rectangular tile of C: 32 rows x 64 columns, 2x4 results per thread
#include <lab.h>

enum { TM = 32, TN = 64, TK = 16, THREADS = 256 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TM][TK];
    __shared__ float Bs[TK][TM];

    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    const int m0 = blockIdx.y * TM, n0 = blockIdx.x * TN;

    float acc[2][4] = {{0}};

    for (int k0 = 0; k0 < N; k0 += TK) {
        for (int i = tid; i < TM * TK; i += THREADS) {
            const int m = i / TK, k = i % TK;
            As[m][k] = (m0 + m < N && k0 + k < N) ? A[(m0 + m) * N + k0 + k] : 0.f;
        }
        for (int i = tid; i < TK * TN; i += THREADS) {
            const int k = i / TN, n = i % TN;
            Bs[k][n] = (k0 + k < N && n0 + n < N) ? B[(k0 + k) * N + n0 + n] : 0.f;
        }
        __syncthreads();

        for (int k = 0; k < TK; ++k)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += As[threadIdx.y + 16 * i][k] * Bs[k][threadIdx.x + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            const int m = m0 + threadIdx.y + 16 * i;
            const int n = n0 + threadIdx.x + 16 * j;
            if (m < N && n < N) C[m * N + n] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {TN, TM});
