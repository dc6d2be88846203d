#include <lab.h>

#define BM 64
#define BN 64
#define BK 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];

    int tid = threadIdx.x;               // 256 threads, 16 x 16 logical
    int tRow = tid / 16, tCol = tid % 16;
    int rowStart = blockIdx.y * BM;
    int colStart = blockIdx.x * BN;

    float acc[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            acc[i][j] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = 0; i < 4; i++) {
            int idx = tid + i * 256;
            int r = idx / BK, c = idx % BK;
            As[r][c] = (rowStart + r < N && k0 + c < N) ? A[(rowStart + r) * N + k0 + c] : 0.0f;
        }
        for (int i = 0; i < 2; i++) {
            int idx = tid + i * 256;
            int r = idx / BN, c = idx % BN;
            Bs[r][c] = (k0 + r < N && colStart + c < N) ? B[(k0 + r) * N + colStart + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    acc[i][j] += As[tRow * 4 + i][k] * Bs[k][tCol * 4 + j];
        __syncthreads();
    }

    for (int i = 0; i < 4; i++) {
        int r = rowStart + tRow * 4 + i;
        for (int j = 0; j < 4; j++) {
            int c = colStart + tCol * 4 + j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {256}, .tile = {BN, BM});
