#include <lab.h>

constexpr int BM = 64, BN = 64, BK = 16;

extern "C" __global__ __launch_bounds__(256)
void matmul(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N)
{
    __shared__ float sA[BM][BK];
    __shared__ float sB[BK][BN];

    const int tid = threadIdx.x;
    const int tx = tid % 16, ty = tid / 16;
    const int rowBase = blockIdx.y * BM;
    const int colBase = blockIdx.x * BN;

    float acc[4][4] = {};

    for (int k0 = 0; k0 < N; k0 += BK) {
        // 1024 elements each, 256 threads
        for (int e = tid; e < BM * BK; e += 256) {
            const int r = rowBase + e / BK, c = k0 + e % BK;
            sA[e / BK][e % BK] = r < N && c < N ? A[r * N + c] : 0.f;
        }
        for (int e = tid; e < BK * BN; e += 256) {
            const int r = k0 + e / BN, c = colBase + e % BN;
            sB[e / BN][e % BN] = r < N && c < N ? B[r * N + c] : 0.f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    acc[i][j] += sA[ty + 16 * i][k] * sB[k][tx + 16 * j];
        __syncthreads();
    }

    for (int i = 0; i < 4; ++i) {
        const int r = rowBase + 4 * ty + i;
        for (int j = 0; j < 4; ++j) {
            const int c = colBase + tx + 16 * j;
            if (r < N && c < N)
                C[r * N + c] = acc[i][j];
        }
    }
}

LAUNCH(.block = {256}, .tile = {BN, BM});
