#include <lab.h>

#define BM 64
#define BN 64
#define BK 16
#define TM 4
#define TN 4
#define NTHREADS ((BM / TM) * (BN / TN))

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];

    const int tid = threadIdx.x;
    const int ty = tid / (BN / TN);
    const int tx = tid % (BN / TN);
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;

    float acc[TM][TN] = {{0.0f}};

    for (int k0 = 0; k0 < N; k0 += BK) {
#pragma unroll
        for (int p = 0; p < BM * BK; p += NTHREADS) {
            int r = (p + tid) / BK, c = (p + tid) % BK;
            float v = 0.0f;
            if (row0 + r < N && k0 + c < N) v = A[(row0 + r) * N + k0 + c];
            As[p + tid] = v;
        }
#pragma unroll
        for (int p = 0; p < BK * BN; p += NTHREADS) {
            int r = (p + tid) / BN, c = (p + tid) % BN;
            float v = 0.0f;
            if (k0 + r < N && col0 + c < N) v = B[(k0 + r) * N + col0 + c];
            Bs[p + tid] = v;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float ra[TM], rb[TN];
            for (int i = 0; i < TM; ++i) ra[i] = As[(ty + i * (BM / TM)) * BK + k];
            for (int j = 0; j < TN; ++j) rb[j] = Bs[k * BN + tx + j * (BN / TN)];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        const int r = row0 + ty + i * (BM / TM);
        if (r >= N) break;
        for (int j = 0; j < TN; ++j) {
            const int c = col0 + tx + j * (BN / TN);
            if (c < N) C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {NTHREADS}, .tile = {BN, BM});
