// SGEMM kernel 4: 2D blocktiling
#include <lab.h>

enum { BM = 64, BN = 128, BK = 8, TM = 4, TN = 8, NT = 256 };

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];          // transposed
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.x;
    const int threadCol = tid % (BN / TN), threadRow = tid / (BN / TN);
    const int cRow = blockIdx.y * BM, cCol = blockIdx.x * BN;

    float acc[TM][TN], regM[TM], regN[TN];
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TM; ++j) acc[i][j] = 0.0f;

    for (int bk = 0; bk < N; bk += BK) {
        for (int i = tid; i < BM * BK; i += NT) {
            int r = i / BK, c = i % BK;
            As[c][r] = cRow + r < N && bk + c < N ? A[(cRow + r) * N + bk + c] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += NT) {
            int r = i / BN, c = i % BN;
            Bs[r][c] = bk + r < N && cCol + c < N ? B[(bk + r) * N + cCol + c] : 0.0f;
        }
        __syncthreads();

        for (int d = 0; d < BK; ++d) {
            for (int i = 0; i < TM; ++i) regM[i] = As[d][threadRow * TM + i];
            for (int j = 0; j < TN; ++j) regN[j] = Bs[d][threadCol * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) acc[i][j] += regM[i] * regN[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        int r = cRow + threadRow * TM + i;
        for (int j = 0; j < TN; ++j) {
            int c = cCol + threadCol * TN + j;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {NT}, .tile = {BN, BM});
