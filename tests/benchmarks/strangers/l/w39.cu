// 64 x 64 tile, 8 warps in 4 rows of 2; a warp owns 16 x 32, a lane 4 x 4
#include <lab.h>

#define BM 64
#define BN 64
#define BK 8

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float sA[BK][BM];
    __shared__ float sB[BK][BN];

    const int tid = threadIdx.x;
    const int warp = tid / 32, lane = tid % 32;
    const int warpRow = (warp / 2) * 16;
    const int warpCol = (warp % 2) * 32;
    const int laneRow = (lane >> 3) * 4;
    const int laneCol = (lane & 3) * 4;
    const int m0 = warpRow + laneRow;
    const int n0 = warpCol + laneCol;

    float acc[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
#pragma unroll
        for (int e = tid; e < BM * BK; e += 256) {
            const int r = blockIdx.y * BM + e / BK, k = k0 + e % BK;
            sA[e % BK][e / BK] = r < N && k < N ? A[r * N + k] : 0.0f;
        }
#pragma unroll
        for (int e = tid; e < BK * BN; e += 256) {
            const int k = k0 + e / BN, c = blockIdx.x * BN + e % BN;
            sB[e / BN][e % BN] = k < N && c < N ? B[k * N + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float b[4];
#pragma unroll
            for (int j = 0; j < 4; ++j) b[j] = sB[k][n0 + j];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float a = sA[k][m0 + i];
#pragma unroll
                for (int j = 0; j < 4; ++j) acc[i][j] = fmaf(a, b[j], acc[i][j]);
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int r = blockIdx.y * BM + m0 + i;
        if (r >= N) break;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int c = blockIdx.x * BN + n0 + j;
            if (c < N) C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {256}, .tile = {BN, BM});
