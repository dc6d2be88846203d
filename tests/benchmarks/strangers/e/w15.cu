#include <lab.h>

// block tile 64x64; 8 warps, each 16 rows x 32 columns; each lane 4x4
#define BT 64
#define BK 8

extern "C" __global__ __launch_bounds__(256) void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BT + 4];  // transposed
    __shared__ float Bs[BK][BT];

    int tid = threadIdx.x;
    int warp = tid / 32, lane = tid % 32;
    int warpRow = warp / 4;
    int warpCol = warp % 2;
    int r = warpRow * 16 + lane / 8 * 4;
    int c = warpCol * 32 + lane % 8 * 4;
    int row0 = blockIdx.y * BT, col0 = blockIdx.x * BT;

    float acc[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) acc[i][j] = 0.0f;

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BT * BK; e += 256) {
            int m = e / BK, k = e % BK;
            As[k][m] = row0 + m < N && k0 + k < N ? A[(row0 + m) * N + k0 + k] : 0.0f;
            int kb = e / BT, n = e % BT;
            Bs[kb][n] = k0 + kb < N && col0 + n < N ? B[(k0 + kb) * N + col0 + n] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += As[k][r + i] * Bs[k][c + j];
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (row0 + r + i < N && col0 + c + j < N)
                C[(row0 + r + i) * N + col0 + c + j] = acc[i][j];
}

LAUNCH(.block = {256}, .tile = {BT, BT});
