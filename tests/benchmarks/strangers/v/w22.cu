// 8x4 results per thread: 128 rows x 64 columns per block of 16x16 threads
#include <lab.h>

constexpr int RM = 8;             // rows per thread
constexpr int RN = 4;             // columns per thread
constexpr int BM = 16 * RM;
constexpr int BN = 16 * RN;
constexpr int BK = 8;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];

    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;

    float acc[RM][RN] = {};
    float a[RN], b[RN];

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += 256) {
            const int k = e % BK, m = e / BK;
            As[k][m] = (row0 + m < N && k0 + k < N) ? A[(row0 + m) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < BN * BK; e += 256) {
            const int n = e % BN, k = e / BN;
            Bs[k][n] = (col0 + n < N && k0 + k < N) ? B[(k0 + k) * N + col0 + n] : 0.0f;
        }
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            // fragments into registers first
            #pragma unroll
            for (int i = 0; i < RM; ++i) a[i] = As[k][ty * RM + i];
            #pragma unroll
            for (int j = 0; j < RN; ++j) b[j] = Bs[k][tx * RN + j];
            #pragma unroll
            for (int i = 0; i < RM; ++i)
                #pragma unroll
                for (int j = 0; j < RN; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < RM; ++i)
        for (int j = 0; j < RN; ++j) {
            const int r = row0 + ty * RM + i, c = col0 + tx * RN + j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
