#include <lab.h>

#define BM 64
#define BN 64
#define BK 16

// Indices outside of a matrix are moved to its last row or column. Those values are loaded but used for no element of C.
__device__ __forceinline__ float clamped(const float *M, int r, int c, int N)
{
    return M[min(r, N - 1) * N + min(c, N - 1)];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.x;
    const int tx = tid % 16, ty = tid / 16;
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
    float acc[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        for (int e = tid; e < BM * BK; e += 256) {
            As[e % BK][e / BK] = clamped(A, r0 + e / BK, k0 + e % BK, N);
            Bs[e / BN][e % BN] = clamped(B, k0 + e / BN, c0 + e % BN, N);
        }
        __syncthreads();

        const int depth = min(BK, N - k0);
        for (int k = 0; k < depth; ++k)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += As[k][ty + 16 * i] * Bs[k][tx + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const int r = r0 + ty + 16 * i, c = c0 + tx + 16 * j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
}

LAUNCH(.block = {256}, .tile = {BN, BM});
