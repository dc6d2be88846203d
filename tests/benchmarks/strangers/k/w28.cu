#include <lab.h>

#define BM 64
#define BN 128
#define BK 8
#define TM 4
#define TN 8
#define NT ((BM / TM) * (BN / TN))

extern "C" __global__ void __launch_bounds__(NT) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK + 1];
    __shared__ float Bs[BK][BN];

    int t = threadIdx.x;
    int threadCol = t % (BN / TN);
    int threadRow = t / (BN / TN);

    float threadResults[TM][TN] = {{0.0f}};
    float regM[TM];
    float regN[TM];

    for (int bk = 0; bk < N; bk += BK) {
        for (int i = t; i < BM * BK; i += NT) {
            int r = blockIdx.y * BM + i / BK, k = bk + i % BK;
            As[i / BK][i % BK] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
        for (int i = t; i < BK * BN; i += NT) {
            int k = bk + i / BN, c = blockIdx.x * BN + i % BN;
            Bs[i / BN][i % BN] = k < N && c < N ? B[k * N + c] : 0.0f;
        }
        __syncthreads();

        for (int dot = 0; dot < BK; ++dot) {
            for (int i = 0; i < TM; ++i)
                regM[i] = As[threadRow * TM + i][dot];
            for (int j = 0; j < TN; ++j)
                regN[j] = Bs[dot][threadCol * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    threadResults[i][j] += regM[i] * regN[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            int r = blockIdx.y * BM + threadRow * TM + i;
            int c = blockIdx.x * BN + threadCol * TN + j;
            if (r < N && c < N)
                C[r * N + c] = threadResults[i][j];
        }
}

LAUNCH(.block = {NT}, .tile = {BN, BM});
