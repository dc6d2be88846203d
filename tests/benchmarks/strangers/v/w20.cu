// Tall tiles: BM x BN = 64 x 16, so B tiles are small and stay in shared memory,
// 4 rows per thread.
#include <lab.h>

#define BM 64
#define BN 16
#define BK 16

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];

    const int tid = threadIdx.x;
    const int tcol = tid % BN;
    const int trow = tid / BN;

    // where this thread loads from
    const int aRow = blockIdx.y * BM + tid / BK;
    const int aCol = tid % BK;
    const int bRow = tid / BN;
    const int bCol = blockIdx.x * BM + tid % BN;

    float acc[4] = {0.0f};

    for (int k0 = 0; k0 < N; k0 += BK) {
        #pragma unroll
        for (int i = 0; i < BM; i += 16) {
            const bool ok = aRow + i < N && k0 + aCol < N;
            As[(tid / BK + i) * BK + aCol] = ok ? A[(aRow + i) * N + k0 + aCol] : 0.0f;
        }
        Bs[tid] = (k0 + bRow < N && bCol < N) ? B[(k0 + bRow) * N + bCol] : 0.0f;
        __syncthreads();

        for (int k = 0; k < BK; ++k) {
            const float b = Bs[k * BN + tcol];
            for (int i = 0; i < 4; ++i)
                acc[i] += As[(trow * 4 + i) * BK + k] * b;
        }
        __syncthreads();
    }

    const int col = blockIdx.x * BN + tcol;
    for (int i = 0; i < 4; ++i) {
        const int row = blockIdx.y * BM + trow * 4 + i;
        if (row < N && col < N)
            C[row * N + col] = acc[i];
    }
}

LAUNCH(.block = {256}, .tile = {BN, BM});
