// register blocking, 32x32 per block, 2x2 per thread (HPC enshuu dai 5 kai)
#include <lab.h>

#define BM 32
#define BN 32
#define BK 8
#define TM 2
#define TN 2

extern "C" __global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int N)
{
    __shared__ float sA[BK][BM];
    __shared__ float sB[BK][BN];

    const int tid = threadIdx.y * blockDim.x + threadIdx.x;   // 0..255
    const int gyou0 = blockIdx.y * BM;
    const int retsu0 = blockIdx.x * BN;

    float acc[TM][TN];
    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = 0; i < TM; i++) for (int j = 0; j < TN; j++) acc[i][j] = 0.0f;
        // 256 floats each, one per thread
        {
            int m = tid / BK, k = tid % BK;
            sA[k][m] = (gyou0 + m < N && k0 + k < N) ? A[(gyou0 + m) * N + k0 + k] : 0.0f;
        }
        {
            int k = tid / BN, n = tid % BN;
            sB[k][n] = (k0 + k < N && retsu0 + n < N) ? B[(k0 + k) * N + retsu0 + n] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; k++) {
            float ra[TM], rb[TN];
            for (int i = 0; i < TM; i++) ra[i] = sA[k][threadIdx.y * TM + i];
            for (int j = 0; j < TN; j++) rb[j] = sB[k][threadIdx.x * TN + j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int r = gyou0 + threadIdx.y * TM + i;
            int c = retsu0 + threadIdx.x * TN + j;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
