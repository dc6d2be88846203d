#include <lab.h>

#define BM 64
#define BN 32
#define BK 16

// 256 threads, each computes 4 rows x 2 columns
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    const int tid = threadIdx.x;
    const int tx = tid & 15, ty = tid >> 4;
    const int ar = tid / BK, ac = tid % BK;
    const int br = tid / BN, bc = tid % BN;
    float acc[4][2] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int r = 0; r < BM; r += 32) {
            const int gr = blockIdx.y * BM + r + ar;
            As[r + ar][ac] = (gr < N && k0 + ac < N) ? A[gr * N + k0 + ac] : 0.0f;
        }
        for (int r = 0; r < BK; r += 8) {
            const int gr = k0 + r + br;
            const int gc = blockIdx.x * BN + bc;
            Bs[r + br][bc] = (gr < N && gc < N) ? B[gr * N + gc] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            const float b0 = Bs[k][tx], b1 = Bs[k][tx + 16];
            for (int i = 0; i < 4; i++) {
                const float a = As[4 * ty + i][k];
                acc[i][0] += a * b0;
                acc[i][1] += a * b1;
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            const int r = blockIdx.y * BM + 4 * ty + i;
            const int c = blockIdx.x * BN + tx + 16 * j;
            if (r < N && c < N) C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {256}, .tile = {BN, BM});
