#include <lab.h>

constexpr int BM = 64;
constexpr int BN = 64;
constexpr int BK = 16;
constexpr int TM = 4;
constexpr int TN = 4;

// 256 threads, every thread owns a 4x4 patch of C
extern "C" __global__ void __launch_bounds__(256)
matmul(const float* A, const float* B, float* C, int N)
{
    __shared__ float sa[BK][BM];
    __shared__ float sb[BK][BN];

    const int tid  = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;

    float patch[TM][TN];
    for (int i = 0; i < TM; ++i)
        patch[i][0] = 0.0f;

    for (int kk = 0; kk < N; kk += BK) {
        for (int e = tid; e < BM * BK; e += 256) {
            const int r = e / BK, k = e % BK;
            sa[k][r] = (row0 + r < N && kk + k < N) ? A[(row0 + r) * N + kk + k] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += 256) {
            const int k = e / BN, c = e % BN;
            sb[k][c] = (kk + k < N && col0 + c < N) ? B[(kk + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    patch[i][j] += sa[k][threadIdx.y * TM + i] * sb[k][threadIdx.x * TN + j];
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            const int r = row0 + threadIdx.y * TM + i;
            const int c = col0 + threadIdx.x * TN + j;
            if (r < N && c < N)
                C[r * N + c] = patch[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
