#include <lab.h>

// rectangular tiles: the block makes BM rows and BN columns
constexpr int BM = 32;
constexpr int BN = 64;
constexpr int BK = 16;
constexpr int NT = 256;

extern "C" __global__ void __launch_bounds__(NT)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float sa[BM][BK + 1];
    __shared__ float sb[BK][BN];

    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;
    float acc[2][4] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += NT) {
            int r = e / BK, c = e % BK;
            sa[r][c] = (row0 + r < N && k0 + c < N) ? A[(row0 + r) * N + k0 + c] : 0.f;
        }
        for (int e = tid; e < BK * BN; e += NT) {
            int r = e / BN, c = e % BN;
            sb[r][c] = (k0 + r < N && col0 + c < N) ? B[(k0 + r) * N + col0 + c] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += sa[threadIdx.y + 16 * i][k] * sb[k][threadIdx.x + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            int r = row0 + threadIdx.y + 16 * i;
            int c = col0 + threadIdx.x + 16 * j;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BM, BN});
