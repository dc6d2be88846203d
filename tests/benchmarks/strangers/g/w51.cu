#include <lab.h>

// sizes of the tile
#define BMN 128
#define BK  008

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float a[BMN][BK + 1];
    __shared__ float b[BK][BMN];

    int id = threadIdx.x;
    int c0 = blockIdx.x * BMN, r0 = blockIdx.y * BMN;
    int tr = id / 16, tc = id % 16;
    float acc[8][8] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = id; e < BMN * BK; e += 256) {
            int r = e / BK, k = e % BK;
            a[r][k] = (r0 + r < N && k0 + k < N) ? A[(r0 + r) * N + k0 + k] : 0.0f;
        }
        for (int e = id; e < BMN * BK; e += 256) {
            int k = e / BMN, c = e % BMN;
            b[k][c] = (c0 + c < N && k0 + k < N) ? B[(k0 + k) * N + c0 + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += a[tr + 16 * i][k] * b[k][tc + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            if (r0 + tr + 16 * i < N && c0 + tc + 16 * j < N)
                C[(r0 + tr + 16 * i) * N + c0 + tc + 16 * j] = acc[i][j];
}

LAUNCH(.block = {256}, .tile = {BMN, BMN});
