#include <lab.h>

#define BM 16
#define BN 64
#define BK 32

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 16 + tx;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float acc[4] = {0, 0, 0, 0};

    for (int k0 = 0; k0 < N; k0 += BK) {
        if (k0 > 0) __syncthreads();   // not needed for the first tile
        for (int e = tid; e < BM * BK; e += 256) {
            int r = e / BK, k = e % BK;
            As[r][k] = r0 + r < N && k0 + k < N ? A[(r0 + r) * N + k0 + k] : 0;
        }
        for (int e = tid; e < BK * BN; e += 256) {
            int k = e / BN, c = e % BN;
            Bs[k][c] = k0 + k < N && c0 + c < N ? B[(k0 + k) * N + c0 + c] : 0;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float a = As[ty][k];
            for (int j = 0; j < 4; ++j) acc[j] += a * Bs[k][tx * 4 + j];
        }
    }

    // reorder through shared memory -> coalesced stores
    for (int j = 0; j < 4; ++j) Bs[ty][tx * 4 + j] = acc[j];
    __syncthreads();
    for (int j = 0; j < 4; ++j) {
        int c = c0 + tx + 16 * j;
        if (r0 + ty < N && c < N)
            C[(r0 + ty) * N + c] = Bs[ty][tx + 16 * j];
    }
}

LAUNCH(.block = {16, 16}, .tile = {BN, BM});
