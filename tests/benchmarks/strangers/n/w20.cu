#include <lab.h>

const int BM = 128;
const int BN = 128;
const int BK = 64;

// 16 x 16 threads with 8 x 8 results each
extern "C" __global__ void __launch_bounds__(256) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    float acc[8][8] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = tid; i < BM * BK; i += 256) {
            const int r = m0 + i / BK, k = k0 + i % BK;
            As[i / BK][i % BK] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += 256) {
            const int k = k0 + i / BN, c = n0 + i % BN;
            Bs[i / BN][i % BN] = k < N && c < N ? B[k * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float a[8], b[8];
            for (int i = 0; i < 8; ++i) a[i] = As[threadIdx.y * 8 + i][k];
            for (int j = 0; j < 8; ++j) b[j] = Bs[k][threadIdx.x + 16 * j];
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            const int r = m0 + threadIdx.y * 8 + i, c = n0 + threadIdx.x + 16 * j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
