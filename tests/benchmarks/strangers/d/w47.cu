#include <lab.h>

namespace {
constexpr int BM = 32, BN = 32, BK = 8;
constexpr int TM = 4;
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    const int tid = threadIdx.x;
    const int ar = tid / BK, ac = tid % BK;
    const int br = tid / BN, bc = tid % BN;
    const int row = blockIdx.y * BM, col = blockIdx.x * BN;

    const float *a = A + (row + ar) * N + ac;
    const float *b = B + br * N + col + bc;
    float acc[TM] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        As[ar][ac] = row + ar < N && k0 + ac < N ? *a : 0.0f;
        Bs[br][bc] = k0 + br < N && col + bc < N ? *b : 0.0f;
        a += BK;
        b += BK;
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            const float bk = Bs[k][bc];
#pragma unroll
            for (int i = 0; i < TM; ++i)
                acc[i] += As[br * TM + i][k] * bk;
        }
        __syncthreads();
    }

    for (int i = 0; i < TM; ++i) {
        const int r = row + br * TM + i;
        if (r < N && col + bc < N)
            C[r * N + col + bc] = acc[i];
    }
}

LAUNCH(.block = {BM * BK}, .tile = {BN, BM});
