#include <lab.h>

// 2D block tiling a la siboehm: BM=BN=64, BK=8, TM=TN=4
const int BM = 64, BN = 64, BK = 8, TM = 4, TN = 4;

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];

    const int threadCol = threadIdx.x % (BN / TN);
    const int threadRow = threadIdx.x / (BN / TN);
    const int cRow = blockIdx.y * BM;
    const int cCol = blockIdx.x * BN;

    float acc[TM][TN] = {{0.0f}};
    float regM[TM], regN[TN];

    for (int bkIdx = 0; bkIdx < N; bkIdx += BK) {
        for (int off = threadIdx.x; off < BM * BK; off += 256) {
            const int r = cRow + off / BK, c = bkIdx + off % BK;
            As[off] = (r < N && c < N) ? A[r * N + c] : 0.0f;
        }
        for (int off = threadIdx.x; off < BK * BN; off += 256) {
            const int r = bkIdx + off / BN, c = cCol + off % BN;
            Bs[off] = (r < N && c < N) ? B[r * N + c] : 0.0f;
        }
        __syncthreads();

        for (int dotIdx = 0; dotIdx < BK; ++dotIdx) {
            for (int i = 0; i < TM; ++i)
                regM[i] = As[(threadRow * TM + i) * BK + dotIdx];
            for (int i = 0; i < TN; ++i)
                regN[i] = Bs[dotIdx * BN + threadCol * TN + i];
            for (int m = 0; m < TM; ++m)
                for (int n = 0; n < TN; ++n)
                    acc[m][n] += regM[m] * regN[n];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            const int r = cRow + threadRow * TM + i;
            const int c = cCol + threadCol * TN + j;
            if (r < N && c < N) C[r * N + c] = acc[j][i];
        }
}

LAUNCH(.block = {256}, .tile = {64, 64});
