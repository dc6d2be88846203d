#include <lab.h>

// 8 x 8 results per thread; A's tile lies transposed, so that both fragments are read along rows.
template <int BM_, int BN_, int BK_, int TM_, int TN_>
struct Config {
    static constexpr int BM = BM_, BN = BN_, BK = BK_, TM = TM_, TN = TN_;
    static constexpr int TX = BN / TN, TY = BM / TM, THREADS = TX * TY;
};

using Cfg = Config<64, 64, 8, 8, 8>;

extern "C" __global__ void __launch_bounds__(Cfg::THREADS) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float At[Cfg::BK][Cfg::BM + 4];
    __shared__ float Bt[Cfg::BK][Cfg::BN];
    const int tid = threadIdx.x, tx = tid % Cfg::TX, ty = tid / Cfg::TX;
    const int row0 = blockIdx.y * Cfg::BM, col0 = blockIdx.x * Cfg::BN;

    float acc[Cfg::TM][Cfg::TN];
#pragma unroll
    for (int i = 0; i < Cfg::TM; ++i)
#pragma unroll
        for (int j = 0; j < Cfg::TN; ++j)
            acc[i][j] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += Cfg::BK) {
        for (int e = tid; e < Cfg::BM * Cfg::BK; e += Cfg::THREADS) {
            const int m = e / Cfg::BK, k = e % Cfg::BK;
            const float v = A[min(row0 + m, N - 1) * N + min(k0 + k, N - 1)];
            At[k][m] = k0 + k < N ? v : 0.0f;
        }
        for (int e = tid; e < Cfg::BK * Cfg::BN; e += Cfg::THREADS) {
            const int k = e / Cfg::BN, n = e % Cfg::BN;
            const float v = B[min(k0 + k, N - 1) * N + min(col0 + n, N - 1)];
            Bt[k][n] = k0 + k < N ? v : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < Cfg::BK; ++k) {
            float a[Cfg::TM], b[Cfg::TN];
#pragma unroll
            for (int i = 0; i < Cfg::TM; ++i) a[i] = At[k][ty + i * Cfg::TY];
#pragma unroll
            for (int j = 0; j < Cfg::TN; ++j) b[j] = Bt[k][tx + j * Cfg::TX];
#pragma unroll
            for (int i = 0; i < Cfg::TM; ++i)
#pragma unroll
                for (int j = 0; j < Cfg::TN; ++j) acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < Cfg::TM; ++i)
#pragma unroll
        for (int j = 0; j < Cfg::TN; ++j) {
            const int r = row0 + ty + i * Cfg::TY, c = col0 + tx + j * Cfg::TX;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {Cfg::THREADS}, .tile = {Cfg::BN, Cfg::BM});
