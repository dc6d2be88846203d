#include <lab.h>

#define BM 48
#define BN 32
#define BK 20

extern __shared__ float pool[];

// rows come from blockIdx.x here
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    float *sA = pool;              // BM x BK
    float *sB = sA + BM * BK;      // BK x BN
    const int r0 = blockIdx.x * BM;
    const int c0 = blockIdx.y * BN;
    const int id = threadIdx.x;
    const int c = id % BN, g = id / BN;   // 6 groups of 8 rows
    float acc[8] = {0, 0, 0, 0, 0, 0, 0, 0};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = id; i < BM * BK; i += blockDim.x) {
            int r = r0 + i / BK, k = k0 + i % BK;
            sA[i] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
        for (int i = id; i < BK * BN; i += blockDim.x) {
            int k = k0 + i / BN, cc = c0 + i % BN;
            sB[i] = k < N && cc < N ? B[k * N + cc] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++)
            for (int i = 0; i < 8; i++)
                acc[i] += sA[(g * 8 + i) * BK + k] * sB[k * BN + c];
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        if (r0 + g * 8 + i < N && c0 + c < N)
            C[(r0 + g * 8 + i) * N + c0 + c] = acc[i];
}

LAUNCH(.block = {192}, .tile = {BN, BM}, .shared = (BM * BK + BK * BN) * sizeof(float), .grid_x = ROWS);
