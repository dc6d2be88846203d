#include <lab.h>

#define BM 64
#define BN 64
#define BK 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];

    int t = threadIdx.x;            // 0 .. 255
    int tr = t / 16, tc = t % 16;   // position in the 16 x 16 grid of threads
    int rowBase = blockIdx.y * BM;
    int colBase = blockIdx.x * BN;

    float acc[4][4] = {{0.f}};
    float ra[4], rb[4];

    for (int kk = 0; kk < N; kk += BK)
    {
        for (int e = t; e < BM * BK; e += 256)
        {
            int m = e / BK, k = e % BK;
            As[m][k] = (rowBase + m < N && kk + k < N) ? A[(rowBase + m) * N + kk + k] : 0.f;
        }
        for (int e = t; e < BK * BN; e += 256)
        {
            int k = e / BN, n = e % BN;
            Bs[k][n] = (kk + k < N && colBase + n < N) ? B[(kk + k) * N + colBase + n] : 0.f;
        }
        __syncthreads();

        for (int k = 0; k < BK; k++)
        {
            for (int i = 0; i < 4; i++) ra[i] = As[tr * 4 + i][k];
            for (int j = 0; j < 4; j++) rb[j] = Bs[k][tc * 4 + j];
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (rowBase + tr * 4 + i < N && colBase + tc * 4 + j < N)
                C[(rowBase + tr * 4 + i) * N + colBase + tc * 4 + j] = acc[i][j];
}

LAUNCH(.block = {256}, .tile = {BN, BM});
