#include <lab.h>

// SGEMM, register blocking. 64x64 per CTA, 16x16 threads, 4x4 per thread, strided by 16 so that smem reads
// don't conflict.
#define BM 64
#define BN 64
#define BK 8
#define STEP 16

extern "C" __global__ void __launch_bounds__(256) matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM + 1];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int bm = blockIdx.y * BM;
    const int bn = blockIdx.x * BN;
    float acc[4][4] = {};

    for (int kk = 0; kk < N; kk += BK) {
        for (int e = tid; e < BM * BK; e += 256) {
            int m = e / BK, k = e % BK;
            As[k][m] = (bm + m < N && kk + k < N) ? A[(bm + m) * N + kk + k] : 0.0f;
        }
        for (int e = tid; e < BK * BN; e += 256) {
            int k = e / BN, n = e % BN;
            Bs[k][n] = (kk + k < N && bn + n < N) ? B[(kk + k) * N + bn + n] : 0.0f;
        }
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[4], b[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                a[i] = As[k][threadIdx.y + i * STEP];
                b[i] = Bs[k][threadIdx.x + i * STEP];
            }
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                #pragma unroll
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            int r = bm + threadIdx.y + i * STEP;
            int c = bn + threadIdx.x + j * STEP;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
