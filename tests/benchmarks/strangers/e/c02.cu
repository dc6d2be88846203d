// 64x64 register tiling, A transposed in shared memory
#include <lab.h>

constexpr int BM = 64, BN = 64, BK = 8, TM = 4, TN = 4;

extern "C" __global__ void __launch_bounds__(256) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float At[BK][BM + 1];
    __shared__ float Bs[BK][BN];
    const int tid = threadIdx.x;
    const int ty = tid / (BN / TN) * TM, tx = tid % (BN / TN) * TN;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;

    float acc[TM][TN] = {{0.0f}};
    float fa[TM], fb[TN];

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += 256) {
            int m = e / BK, k = e % BK;
            At[k][m] = (r0 + m < N && k0 + k < N) ? A[(r0 + m) * N + (k0 + k)] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += 256) {
            int k = e / BN, n = e % BN;
            Bs[k][n] = (k0 + k < N && c0 + n < N) ? B[(k0 + k) * N + (c0 + n)] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i) fa[i] = At[k][ty + i];
            for (int j = 0; j < TN; ++j) fb[j] = Bs[k][tx + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += fa[i] * fb[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM && r0 + ty + i < N; ++i)
        for (int j = 0; j < TN && c0 + tx + j < N; ++j)
            C[(r0 + ty + i) * N + c0 + tx + j] = acc[i][j];
}

LAUNCH(.block = {256}, .tile = {BN, BM});
