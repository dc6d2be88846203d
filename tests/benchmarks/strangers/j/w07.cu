#include <lab.h>

// Register tiling: 16 x 16 threads, 4 x 4 results per thread.
static constexpr int TM = 4, TN = 4;
static constexpr int BM = 64, BN = 64, BK = 16;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;

    float acc[TM][TN];

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = tid; i < BM * BK; i += 256) {
            const int r = i / BK, c = i % BK;
            As[r][c] = (row0 + r < N && k0 + c < N) ? A[(row0 + r) * N + k0 + c] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += 256) {
            const int r = i / BN, c = i % BN;
            Bs[r][c] = (k0 + r < N && col0 + c < N) ? B[(k0 + r) * N + col0 + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += As[threadIdx.y * TM + i][k] * Bs[k][threadIdx.x * TN + j];
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            const int r = row0 + threadIdx.y * TM + i;
            const int c = col0 + threadIdx.x * TN + j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
