#include <lab.h>

#define BM 64
#define BN 64
#define BK 16
#define TM 4
#define TN 4

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];

    int tx = threadIdx.x, ty = threadIdx.y;
    int tid = ty * 16 + tx;
    int rowBase = blockIdx.y * BM;
    int colBase = blockIdx.x * BN;

    float acc[TM][TN] = {};
    float regA[TM], regB[TN];

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = tid; i < BM * BK; i += 256) {
            int r = i / BK, c = i % BK;
            As[r][c] = (rowBase + r < N && k0 + c < N) ? A[(rowBase + r) * N + k0 + c] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += 256) {
            int r = i / BN, c = i % BN;
            Bs[r][c] = (k0 + r < N && colBase + c < N) ? B[(k0 + r) * N + colBase + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            for (int i = 0; i < TM; ++i)
                regA[i] = As[ty * TM + i][k];
            for (int j = 0; j < TN; ++j)
                regB[j] = Bs[k][tx * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[j][i] += regA[i] * regB[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        for (int j = 0; j < TN; ++j) {
            int r = rowBase + ty * TM + i;
            int c = colBase + tx * TN + j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
