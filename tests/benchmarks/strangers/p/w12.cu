#include <lab.h>

#define SZ 32
#define THREADS 256

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sa[SZ * SZ];
    __shared__ float sb[SZ * SZ];
    const int t = threadIdx.x;
    const int br = blockIdx.y * SZ;
    const int bc = blockIdx.x * SZ;
    float acc[SZ * SZ / THREADS] = {0};

    for (int kt = 0; kt < N; kt += SZ) {
        for (int i = t; i < SZ * SZ; i += THREADS) {
            int r = br + i / SZ, k = kt + i % SZ;
            sa[i] = (r < N && k < N) ? A[r * N + k] : 0.0f;
        }
        for (int i = t; i <= SZ * SZ; i += THREADS) {
            int k = kt + i / SZ, c = bc + i % SZ;
            sb[i] = (k < N && c < N) ? B[k * N + c] : 0.0f;
        }
        __syncthreads();

        for (int j = 0; j < SZ * SZ / THREADS; j++) {
            int e = t + j * THREADS;
            for (int k = 0; k < SZ; k++)
                acc[j] += sa[e / SZ * SZ + k] * sb[k * SZ + e % SZ];
        }
        __syncthreads();
    }

    for (int j = 0; j < SZ * SZ / THREADS; j++) {
        int e = t + j * THREADS;
        int r = br + e / SZ, c = bc + e % SZ;
        if (r < N && c < N) C[r * N + c] = acc[j];
    }
}

LAUNCH(.block = {THREADS}, .tile = {SZ, SZ});
