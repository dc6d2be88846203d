#include <lab.h>

#define BM 32
#define BN 32
#define BK 16
#define LDA BK + 1

// 256 threads; four rows for each
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[BM * LDA];
    __shared__ float sB[BK * BN];
    int tid = threadIdx.x;
    int x = tid % BN, y = tid / BN;
    int col = blockIdx.x * BN + x;
    float sum[4] = {0};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = tid; i < BM * BK; i += 256) {
            int r = i / BK, k = i % BK;
            int row = blockIdx.y * BM + r;
            sA[r * LDA + k] = row < N && k0 + k < N ? A[row * N + k0 + k] : 0;
        }
        for (int i = tid; i < BK * BN; i += 256)
            sB[i] = k0 + i / BN < N && blockIdx.x * BN + i % BN < N ? B[(k0 + i / BN) * N + blockIdx.x * BN + i % BN] : 0;
        __syncthreads();
        for (int k = 0; k < BK; k++)
            for (int i = 0; i < 4; i++)
                sum[i] += sA[(y + 8 * i) * LDA + k] * sB[k * BN + x];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        int row = blockIdx.y * BM + y + 8 * i;
        if (row < N && col < N)
            C[row * N + col] = sum[i];
    }
}

LAUNCH(.block = {256}, .tile = {BN, BM});
