#include <lab.h>

// Register blocking with template parameters: TM rows, TN columns for each thread.
template <int BM, int BN, int BK, int TM, int TN>
__device__ __forceinline__ void gemmBlock(const float *A, const float *B, float *C, int N)
{
    constexpr int TX = BN / TN;
    constexpr int TY = BM / TM;
    __shared__ float As[BK][BM + 1];   // transposed
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.y * TX + threadIdx.x;
    const int rowBase = blockIdx.y * BM;
    const int colBase = blockIdx.x * BN;
    float acc[TN][TM] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += TX * TY) {
            const int m = e / BK, k = e % BK;
            As[k][m] = rowBase + m < N && k0 + k < N ? A[(rowBase + m) * N + k0 + k] : 0.0f;
        }
        for (int e = tid; e < BN * BK; e += TX * TY) {
            const int k = e / BN, n = e % BN;
            Bs[k][n] = colBase + n < N && k0 + k < N ? B[(k0 + k) * N + colBase + n] : 0.0f;
        }
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            #pragma unroll
            for (int m = 0; m < TM; ++m)
                #pragma unroll
                for (int n = 0; n < TN; ++n)
                    acc[m][n] += As[k][threadIdx.y * TM + m] * Bs[k][threadIdx.x + n * TX];
        }
        __syncthreads();
    }

    #pragma unroll
    for (int m = 0; m < TM; ++m)
        #pragma unroll
        for (int n = 0; n < TN; ++n) {
            const int r = rowBase + threadIdx.y * TM + m;
            const int c = colBase + threadIdx.x + n * TX;
            if (r < N && c < N)
                C[r * N + c] = acc[m][n];
        }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    gemmBlock<64, 64, 8, 8, 2>(A, B, C, N);
}

LAUNCH(.block = {32, 8}, .tile = {64, 64});
