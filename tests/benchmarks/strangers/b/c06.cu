#include <lab.h>

template <int BM, int BN, int BK, int RM, int RN>
struct Gemm {
    static constexpr int TX = BN / RN;
    static constexpr int TY = BM / RM;
    static constexpr int THREADS = TX * TY;

    static __device__ __forceinline__ void run(const float *A, const float *B, float *C, int N)
    {
        __shared__ float As[BK][BM];  // transposed
        __shared__ float Bs[BK][BN];
        const int tid = threadIdx.y * TX + threadIdx.x;
        const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
        float acc[RM][RN] = {};

        for (int k0 = 0; k0 < N; k0 += BK) {
#pragma unroll
            for (int e = tid; e < BM * BK; e += THREADS) {
                int m = e / BK, k = e % BK;
                As[k][m] = m0 + m < N && k0 + k < N ? A[(m0 + m) * N + k0 + k] : 0.0f;
            }
#pragma unroll
            for (int e = tid; e < BK * BN; e += THREADS) {
                int k = e / BN, n = e % BN;
                Bs[k][n] = k0 + k < N && n0 + n < N ? B[(k0 + k) * N + n0 + n] : 0.0f;
            }
            __syncthreads();
#pragma unroll
            for (int k = 0; k < BK; ++k) {
                float a[RM], b[RN];
                for (int i = 0; i < RM; ++i) a[i] = As[k][threadIdx.y * RM + i];
                for (int j = 0; j < RN; ++j) b[j] = Bs[k][threadIdx.x + j * TX];
                for (int i = 0; i < RM; ++i)
                    for (int j = 0; j < RN; ++j)
                        acc[i][j] += a[i] * b[j];
            }
            __syncthreads();
        }
        for (int i = 0; i < RM; ++i)
            for (int j = 0; j < RN; ++j) {
                int m = m0 + threadIdx.y * RM + i;
                int n = n0 + threadIdx.x + j * TX;
                if (m < N && n < N) C[m * N + n] = acc[i][j];
            }
    }
};

using G = Gemm<64, 32, 8, 4, 2>;

extern "C" __global__ void __launch_bounds__(G::THREADS)
matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    G::run(A, B, C, N);
}

LAUNCH(.block = {G::TX, G::TY}, .tile = {32, 64});
