#include <lab.h>

#define BM 64
#define BN 32
#define BK 16
#define TM 8
#define THREADS 256

__device__ void stageA(float *As, const float *A, int r0, int k0, int N)
{
    for (int e = threadIdx.x; e < BM * BK; e += THREADS) {
        int m = e / BK;
        int k = e % BK;
        float v = 0.0f;
        if (r0 + m < N && k0 + k < N)
            v = A[(r0 + m) * N + k0 + k];
        As[k * BM + m] = v;
    }
}

__device__ void stageB(float *Bs, const float *B, int k0, int c0, int N)
{
    for (int e = threadIdx.x; e < BK * BN; e += THREADS) {
        int k = e / BN;
        int n = e % BN;
        float v = 0.0f;
        if (k0 + k < N && c0 + n < N)
            v = B[(k0 + k) * N + c0 + n];
        Bs[k * BN + n] = v;
    }
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];

    int n = threadIdx.x % BN;
    int m0 = threadIdx.x / BN * TM;
    int r0 = blockIdx.y * BM;
    int c0 = blockIdx.x * BN;

    float acc[TM] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        stageA(As, A, r0, k0, N);
        stageB(Bs, B, k0, c0, N);
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float b = Bs[k * BN + n];
            for (int i = 0; i < TM; ++i)
                acc[i] += As[k * BN + m0 + i] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        int r = r0 + m0 + i;
        if (r < N && c0 + n < N)
            C[r * N + c0 + n] = acc[i];
    }
}

LAUNCH(.block = {THREADS}, .tile = {BN, BM});
