#include <lab.h>

constexpr int NT = 256;

template <int BM, int BK, int BN>
__device__ void gemmTile(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];

    constexpr int GROUPS = NT / BN;     // threads in the direction of m
    constexpr int TM = BM / GROUPS;

    const int tid = threadIdx.x;
    const int n = tid % BN;
    const int g = tid / BN;
    const int r0 = blockIdx.y * BM;
    const int c0 = blockIdx.x * BN;

    float acc[TM] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += NT) {
            const int r = r0 + e / BK, k = k0 + e % BK;
            As[e / BK][e % BK] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += NT) {
            const int k = k0 + e / BN, c = c0 + e % BN;
            Bs[e / BN][e % BN] = k < N && c < N ? B[k * N + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < TM; ++i)
                acc[i] += As[g + i * GROUPS][k] * Bs[k][n];
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        const int r = r0 + g + i * GROUPS, c = c0 + n;
        if (r < N && c < N)
            C[r * N + c] = acc[i];
    }
}

// tiles of 64 rows and 32 columns, 16 deep
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    gemmTile<64, 32, 16>(A, B, C, N);
}

LAUNCH(.block = {NT}, .tile = {32, 64});
