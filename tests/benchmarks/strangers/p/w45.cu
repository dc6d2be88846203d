#include <lab.h>

#define BM 64
#define BN 32
#define BK 8
#define NTHREADS 128
#define TM 4
#define TN 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];

    const int tid = threadIdx.x;
    const int tr = tid / (BN / TN) * TM;   // first row of this thread in the tile
    const int tc = tid % (BN / TN) * TN;   // first column
    const int br = blockIdx.y * BM;
    const int bc = blockIdx.x * BN;

    float res[TM][TN] = {{0.0f}};
    float ra[TM], rb[TN];

    for (int bk = 0; bk < N; bk += BK) {
        for (int i = tid; i < BK * BN; i += NTHREADS) {
            int r = br + i / BK, c = bk + i % BK;
            As[i] = r < N && c < N ? A[r * N + c] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += NTHREADS) {
            int r = bk + i / BN, c = bc + i % BN;
            Bs[i] = r < N && c < N ? B[r * N + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; k++) {
            for (int m = 0; m < TM; m++) ra[m] = As[(tr + m) * BK + k];
            for (int n = 0; n < TN; n++) rb[n] = Bs[k * BN + tc + n];
            for (int m = 0; m < TM; m++)
                for (int n = 0; n < TN; n++)
                    res[m][n] += ra[m] * rb[n];
        }
        __syncthreads();
    }

    for (int m = 0; m < TM; m++)
        for (int n = 0; n < TN; n++)
            if (br + tr + m < N && bc + tc + n < N)
                C[(br + tr + m) * N + bc + tc + n] = res[m][n];
}

LAUNCH(.block = {NTHREADS}, .tile = {BN, BM});
