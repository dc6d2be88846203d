#include <lab.h>

#define BM 128
#define BN 128
#define BK 64

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.x;
    const int tx = tid & 15, ty = tid >> 4;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float acc[8][8] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int i = tid; i < BM * BK; i += 256) {
            int r = i / BK, k = i % BK;
            As[r][k] = (r0 + r < N && k0 + k < N) ? A[(r0 + r) * N + k0 + k] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += 256) {
            int k = i / BN, c = i % BN;
            Bs[k][c] = (c0 + c < N && k0 + k < N) ? B[(k0 + k) * N + c0 + c] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            float a[8], b[8];
            for (int i = 0; i < 8; ++i) a[i] = As[ty + 16 * i][k];
            for (int j = 0; j < 8; ++j) b[j] = Bs[k][tx + 16 * j];
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            int r = r0 + ty + 16 * i, c = c0 + tx + 16 * j;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {256}, .tile = {BN, BM});
